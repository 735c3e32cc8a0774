# Flags of a thread: asleep, one of the kernel's, traced by a debugger; of its own
# process in a system call none.
"$dtrace" -qn 'syscall::clock_nanosleep:entry /pid == $target/ { printf("running %x\n", curlwpsinfo->pr_flag); }
	sched:::sleep /pid == $target/ { asleep |= curlwpsinfo->pr_flag & PR_ASLEEP; kernel |= curlwpsinfo->pr_flag & PR_ISSYS; }
	END { printf("asleep %d, of the kernel %d\n", asleep == PR_ASLEEP, kernel); }' -c 'sleep 0.1' | grep .
"$dtrace" -qn 'sched:::on-cpu /pid != 0 && curlwpsinfo->pr_flag & PR_ISSYS/ { printf("of the kernel: child of 2 %d, memory %d\n", pid == 2 || ppid == 2, curthread->mm != NULL); exit(0); }' | grep .
"$dtrace" -qn 'sched:::on-cpu /curlwpsinfo->pr_flag & PR_IDLE/ { printf("idle %d\n", pid); exit(0); }' | grep .
cat > debugger.py <<'P'
import ctypes, os, signal
libc = ctypes.CDLL(None)
if (child := os.fork()) == 0:
    libc.ptrace(0, 0, 0, 0)
    os.kill(os.getpid(), signal.SIGSTOP)
    os.getppid()
    os._exit(0)
os.waitpid(child, 0)
libc.ptrace(7, child, 0, 0)
os.waitpid(child, 0)
P
"$dtrace" -qn 'syscall::getppid:entry /progenyof($target)/ { printf("traced %d\n", (curlwpsinfo->pr_flag & PR_PTRACE) != 0); }' -c 'python3 debugger.py' | grep .
