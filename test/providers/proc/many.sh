# A thousand short-lived processes: none is missed, and each shows its arguments.
# @timeout: 240
. "$suite/lib.sh"
need_probe proc:::start
cp "$triggers/spawn" .
"$dtrace" -qn '
	proc:::create /pid == $target/ { created++; }
	proc:::start /ppid == $target/ { started++; }
	proc:::lwp-start /ppid == $target/ { threads++; }
	proc:::exec-success /ppid == $target/ { execed++; printf("%s\n", curpsinfo->pr_psargs); }
	proc:::exit /ppid == $target/ { @reason[args[0]] = count(); }
	proc:::signal-send /pid == $target && args[2] == SIGKILL/
	{
		@signal[execname, stringof(args[1]->pr_fname), args[1]->pr_ppid == pid] = count();
	}
	END
	{
		printf("created %d started %d with %d threads, execed %d\n", created, started, threads, execed);
		printa("reason %d: %@d\n", @reason);
		printa("%s kills %s, its child: %d, %@d\n", @signal);
	}' -c "./spawn 1000" > out 2>&1
grep '^short' out | sort -u | wc -l
grep -v '^short' out
