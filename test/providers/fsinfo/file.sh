# What a program does with a file through its descriptor: each once, with the
# file's name and the bytes.  (Attributes, creation and pages are seen where functions can be traced.)
cat > run.py <<'Y'
import os, mmap, fcntl
fd = os.open("the-file", os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 100)
os.pwrite(fd, b"x" * 20, 4096)
os.lseek(fd, 0, 0)
os.read(fd, 70)
os.readv(fd, [bytearray(10), bytearray(10)])
os.fsync(fd)
os.fdatasync(fd)
os.ftruncate(fd, 8192)
fcntl.flock(fd, fcntl.LOCK_EX)
fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND)
fcntl.fcntl(fd, fcntl.F_GETFL)
mmap.mmap(fd, 4096).close()
os.close(fd)
Y
"$dtrace" -qn 'fsinfo::: /pid == $target && args[0]->fi_name == "the-file"/ { @n[probename] = count(); @s[probename] = sum(args[1]); }
	END { printa("%s %@d, bytes %@d\n", @n, @s); }' -c 'python3 run.py' | grep -v -e attr -e create -e page | sort
