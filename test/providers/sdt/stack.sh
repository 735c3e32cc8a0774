# stack() and caller begin at the place of the kernel that has the tracepoint,
# for sdt, rawtp and what is made of it alike.
cp "$triggers/spawn" .
"$dtrace" -qn '
	sdt:::sched_process_fork, rawtp:::sched_process_fork, proc:::create
	/pid == $target && !seen[probeprov]++/
	{
		printf("%s", probeprov);
		stack(1);
		@[stackdepth, caller] = count();
	}
	END { printa("%@d agree\n", @); }' -c './spawn 3' | sed 's/+0x.*//'
