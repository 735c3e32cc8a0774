# sched:::wakeup fires in who wakes and tells who is woken.
"$dtrace" -qn '
	sched:::wakeup
	/(execname == "ping" || execname == "pong") &&
	 (args[1]->pr_fname == "ping" || args[1]->pr_fname == "pong")/
	{
		@[execname, stringof(args[1]->pr_fname), args[0]->pr_lwpid == args[1]->pr_pid,
		    stringof(args[0]->pr_name)] = count();
	}
	END { printa("%s -> %s %d %s\n", @); }' -c "$triggers/pingpong 500" | sort
