# readch and writech count bytes, of every way to read and write.
cat > run.py <<'X'
import os
fd = os.open("/dev/zero", os.O_RDWR)
for i in range(100):
    os.read(fd, 10)
    os.pread(fd, 7, 0)
    os.readv(fd, [bytearray(3), bytearray(5)])
    os.write(fd, b"x" * 11)
    os.pwrite(fd, b"x" * 2, 0)
    os.writev(fd, [b"x" * 4, b"x" * 4])
os.getppid()
X
"$dtrace" -qn '
	syscall::openat:entry /pid == $target && copyinstr(arg1) == "/dev/zero"/ { begun = 1; }
	sysinfo:::readch, sysinfo:::writech /pid == $target && begun/ { @[probename] = sum(args[0]); }
	syscall::getppid:entry /pid == $target/ { begun = 0; }
	END { printa("%s %@d\n", @); }' -c 'python3 run.py'
