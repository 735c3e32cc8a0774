# The processes that probes of proc and sched are about have their numbers in
# the tracer's PID namespace, too.
inside() {
	unshare -pf --mount-proc "$dtrace" "$@"
}
echo "children"
inside -qn 'proc:::create /pid == $target/ { child = args[0]->pr_pid; printf("create %d %d\n", child > pid, args[0]->pr_ppid == $target); }
	proc:::exec-success /child && pid == child/ { printf("exec-success %d\n", curpsinfo->pr_pid == child); }
	proc:::exit /child && pid == child/ { printf("exit %d\n", ppid == $target); }' \
	-c "setsid -f -w true"
echo "threads"
inside -qn 'proc:::lwp-create /pid == $target/ { printf("%d %d\n", args[0]->pr_lwpid > pid, args[1]->pr_pid == pid); }' \
	-c "$triggers/calls now getppid 1 2"
echo "scheduling"
inside -qn 'sched:::off-cpu /pid == $target && !n++/ { printf("%d\n", curlwpsinfo->pr_lwpid == pid); }
	sched:::off-cpu /args[1]->pr_pid == $target && !m++/ { printf("%d\n", args[0]->pr_lwpid == $target); }' -c "sleep 0.1"
