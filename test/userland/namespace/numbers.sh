# In a PID namespace of its own, dtrace speaks of processes by their numbers
# there: pid, ppid, tid, $target, psinfo_t.  Those outside are 0.
. "$suite/lib.sh"
inside() {
	unshare -pf --mount-proc "$dtrace" "$@"
}
echo "target"
inside -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }
	syscall::getppid:entry /pid == $target && !n++/ {
		printf("ppid %d tid %d nspid %d hostpid %d\n", ppid == $pid, tid == $target, nspid == $target, hostpid != pid && hostpid == curthread->tgid);
		printf("psinfo %d %d lwp %d\n", curpsinfo->pr_pid == $target, curpsinfo->pr_ppid == $pid, curlwpsinfo->pr_lwpid == $target);
		printf("group %d session %d\n", curpsinfo->pr_pgid, curpsinfo->pr_sid);
		printf("progeny %d %d %d\n", progenyof($target), progenyof($pid), progenyof($target + 1)); }' \
	-c "$triggers/calls now getppid 1000"
echo "a group and a session of its own"
inside -qn 'syscall::exit_group:entry /pid == $target/ {
		printf("%d %d\n", curpsinfo->pr_pgid == pid, curpsinfo->pr_sid == pid); }' -c "setsid true"
# "unshare -pf true": its child is number 1 of a namespace in ours
echo "inner namespace"
inside -qn 'syscall::exit_group:entry /ppid == $target/ {
		printf("%d %d %d\n", pid > $target, nspid, tid == pid); }' -c "unshare -pf true"
echo "threads"
inside -qn 'syscall::getppid:entry /pid == $target/ { @[tid != pid && tid > 1, tid == curlwpsinfo->pr_lwpid] = count(); }' \
	-c "$triggers/calls now getppid 5 2"
echo "outside"
cp "$triggers/calls" outsider
./outsider getppid 1 &
target=$!
await_ready $target
inside -qn 'tick-10ms /!armed/ { armed = 1; printf("armed\n"); }
	syscall::getppid:entry /execname == "outsider"/ {
		printf("%d %d %d %d\n", pid, tid, curpsinfo->pr_pid, hostpid == $1);
		exit(0); }' $target > out 2>&1 &
await out armed
kill -USR1 $target
wait
grep -v armed out
