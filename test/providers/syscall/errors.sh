# Failed calls return -1 and have errno; a signal's is EINTR; the kernel's number is in rax.
cat > run.py <<'X'
import os, signal
signal.signal(signal.SIGALRM, lambda *_: None)
try:
    os.rmdir("/nonexistent")
except FileNotFoundError:
    pass
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
signal.pause()
X
"$dtrace" -qn 'syscall::rmdir:return, syscall::pause:return, syscall::setitimer:return /pid == $target/ {
	printf("%s %d %d %d %d %d %d\n", probefunc, arg0, arg1, args[0], args[1], errno, (long)uregs[R_RAX]); }' \
	-c 'python3 run.py'
# errno in what is made of system calls
"$dtrace" -qn 'proc:::exec-failure /pid == $target/ { printf("%s %d %d\n", probename, args[0], errno); }' \
	-c 'env /etc/passwd' 2>/dev/null
