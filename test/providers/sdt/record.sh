# sdt shows the fields of the trace record: numbers, arrays of chars, and text
# of any length; as often as the kernel passes it.
cp "$triggers/spawn" .
"$dtrace" -qn '
	sdt:sched::sched_process_exec /ppid == $target/
	{
		@[args[0], args[1] == pid, args[2] == pid, probemod, probefunc, probename] = count();
	}
	sdt:task::task_newtask /pid == $target/
	{
		@new[args[1], args[0] > pid] = count();
	}
	END { printa("%s %d %d %s/%s/%s %@d\n", @); printa("%s %d %@d\n", @new); }' -c './spawn 100'
