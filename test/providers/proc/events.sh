# What happens to a process, in order.
# A timer of another program may fire while one of these runs: its signal counts as sent by that one,
# so only signals to oneself are taken.
cat > run.sh <<'X'
exec 2> /dev/null
/bin/true one two
/bin/nonexistent three
sh -c 'kill -SEGV $$; :'
trap : USR1
kill -USR1 $$
exit 7
X
. "$suite/lib.sh"
need_probe proc:::start
"$dtrace" -qn '
	proc:::create, proc:::start /progenyof($target)/ { printf("%s: %s\n", probename, execname); }
	proc:::lwp-create /pid == $target/ { printf("%s: %d\n", probename, args[0]->pr_lwpid == args[1]->pr_pid); }
	proc:::exec /progenyof($target)/ { printf("%s: %s %s\n", probename, execname, args[0]); }
	proc:::exec-failure /progenyof($target)/ { printf("%s: %s %d\n", probename, execname, args[0] == ENOENT); }
	proc:::exec-success /progenyof($target)/ { printf("%s: %s\n", probename, curpsinfo->pr_psargs); }
	proc:::exit /progenyof($target)/ { printf("%s: %s %s\n", probename, execname, args[0] == CLD_EXITED ? "exited" : "killed"); }
	proc:::lwp-exit /progenyof($target)/ { printf("%s: %s\n", probename, execname); }
	proc:::signal-send /progenyof($target) && args[1]->pr_pid == pid && args[2] != SIGCHLD/
	{
		printf("%s: %s -> %s %d\n", probename, execname, args[1]->pr_fname, args[2]);
	}
	proc:::signal-handle /progenyof($target) && args[0] != SIGCHLD/
	{
		printf("%s: %s %d from itself: %d, handler: %d\n", probename, execname, args[0],
		    args[1]->si_pid == pid, args[2] != NULL);
	}' -c 'sh run.sh'
