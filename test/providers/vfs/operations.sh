# Operations through a descriptor: the file, its dentry, and the error.
. "$suite/lib.sh"
directory=$(mktemp -d /dev/shm/vfs.XXXXXX)
trap 'rm -rf $directory' EXIT
cat > run.py <<'Y'
import os, sys
os.chdir(sys.argv[1])
fd = os.open("the-file", os.O_CREAT | os.O_WRONLY)
os.write(fd, b"x" * 10)
os.pwrite(fd, b"y", 3)
try: os.read(fd, 1)
except OSError: pass
os.fsync(fd)
os.close(fd)
fd = os.open("the-file", os.O_RDONLY)
os.read(fd, 5)
os.pread(fd, 5, 5)
os.close(fd)
os.mkdir("the-directory")
os.listdir("the-directory")
Y
"$dtrace" -qn 'vfs:vop:vop_read:, vfs:vop:vop_write:, vfs:vop:vop_fsync:, vfs:vop:vop_readdir:
/pid == $target && substr(args[0]->fi_name, 0, 4) == "the-"/ {
	printf("%s %s %s %s %d\n", probefunc, probename, args[0]->fi_name, stringof(args[1]->d_name.name), probename == "return" ? (int)arg2 : 0); }
vfs:vop:vop_close:entry
/pid == $target && substr(stringof(args[1]->d_name.name), 0, 4) == "the-"/ { printf("%s %s\n", probefunc, stringof(args[1]->d_name.name)); }' \
	-c "python3 run.py $directory"
