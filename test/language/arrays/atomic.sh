# a[k]++ by four threads at once: every one counts.
. "$suite/lib.sh"
trace_calls 'syscall::getppid:entry /pid == $1/ { n[execname]++; total["all"] += 2; } END { printf("%d %d", n["calls"], total["all"]); }' getppid 20000 4
