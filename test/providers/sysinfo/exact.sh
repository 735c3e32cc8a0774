# Statistics of a program that is known: 1,300 reads, a thread each; 100
# processes that run a program.
. "$suite/lib.sh"
trace_calls '
	sysinfo:::sysread, sysinfo:::nthreads, sysinfo:::syswrite /pid == $1/ { @[probename] = sum(arg0); }
	END { printa("%s %@d\n", @); }' read 1300 4
cp "$triggers/spawn" .
"$dtrace" -qn '
	sysinfo:::sysvfork, sysinfo:::sysfork /pid == $target/ { @[probename] = sum(args[0]); }
	sysinfo:::sysexec /ppid == $target/ { @[probename] = sum(args[0]); }
	END { printa("%s %@d\n", @); }' -c './spawn 100'
