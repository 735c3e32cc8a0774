# A file of which only the inode is known has the path that its process would use, also where
# that has a root of its own in a mount namespace of its own.
mkdir sub
cat > run.py <<'X'
import ctypes, os
ctypes.CDLL(None).unshare(0x20000)
os.chroot("sub")
os.dup2(os.open("/the-file", os.O_CREAT | os.O_RDWR), 15)
try:
    os.rmdir("/nonexistent")
except OSError:
    pass
X
"$dtrace" -qn 'syscall::rmdir:entry /pid == $target/ {
	printf("%s %s\n", _inode_path(getf(15)->f_inode), fds[15].fi_pathname); }' -c 'python3 run.py'
