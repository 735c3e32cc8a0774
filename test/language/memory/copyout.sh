# copyout() and copyoutstr() write to a process; a kernel that forbids it is named as the reason.
cat > target.py <<'P'
import ctypes, os, time
libc = ctypes.CDLL(None)
buffer = ctypes.create_string_buffer(b"untouched memory", 64)
null = os.open("/dev/null", os.O_WRONLY)
for _ in range(600):
    libc.write(null, buffer, 17)
    if buffer.raw[0] != ord("u"):
        break
    time.sleep(0.1)
print(buffer.raw[:24])
P
python3 target.py > target.out &
target=$!
$dtrace -wqn 'syscall::write:return /pid == $1 && arg0 == 17/ { self->done = 1; }
	syscall::write:entry /pid == $1 && arg2 == 17 && !done/ {
	done = 1;
	this->p = (char *)alloca(8);
	this->p[0] = 68; this->p[1] = 45;
	copyout(this->p, arg1, 2);
	copyoutstr("text", arg1 + 10, 100);
	copyoutstr("longer", arg1 + 20, 3);
	exit(0); }' $target > out 2> err
if grep -q 'not permitted to write to user memory.*CAP_SYS_ADMIN.*lockdown' err; then
	kill $target
	echo "this kernel lets nobody write to user memory"
	exit 77
fi
wait $target
cat out err target.out
