# What happens to a process, in order.
cat > run.sh <<'X'
/bin/true one two
/bin/nonexistent three
sh -c 'kill -SEGV $$; :'
trap : USR1
kill -USR1 $$
exit 7
X
. "$test/../lib.sh"
need_probe proc:::start
"$dtrace" -qn '
	proc:::create, proc:::start /progenyof($target)/ { printf("%s: %s\n", probename, execname); }
	proc:::lwp-create /pid == $target/ { printf("%s: %d\n", probename, args[0]->pr_lwpid == args[1]->pr_pid); }
	proc:::exec /progenyof($target)/ { printf("%s: %s %s\n", probename, execname, args[0]); }
	proc:::exec-failure /progenyof($target)/ { printf("%s: %s %d\n", probename, execname, args[0] == ENOENT); }
	proc:::exec-success /progenyof($target)/ { printf("%s: %s\n", probename, curpsinfo->pr_psargs); }
	proc:::exit /progenyof($target)/ { printf("%s: %s %s\n", probename, execname, args[0] == CLD_EXITED ? "exited" : "killed"); }
	proc:::lwp-exit /progenyof($target)/ { printf("%s: %s\n", probename, execname); }
	proc:::signal-send /progenyof($target) && args[2] != SIGCHLD/
	{
		printf("%s: %s -> %s %d\n", probename, execname, args[1]->pr_fname, args[2]);
	}
	proc:::signal-handle /progenyof($target) && args[0] != SIGCHLD/
	{
		printf("%s: %s %d from itself: %d, handler: %d\n", probename, execname, args[0],
		    args[1]->si_pid == pid, args[2] != NULL);
	}' -c 'sh run.sh' 2>&1 | grep -v -e 'not found' -e 'Segmentation'
