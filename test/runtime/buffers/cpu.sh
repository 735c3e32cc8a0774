# -x cpu=N: one CPU's firings, BEGIN and END there, too.
"$dtrace" -qn 'BEGIN, END, profile-199hz { @[cpu] = count(); } tick-500ms { printf("tick on %d\n", cpu); exit(0); }
	syscall:::entry { @[cpu] = count(); }' -x cpu=0 | awk 'NF == 2 { print "CPU", $1 } NF != 2'
"$dtrace" -qn 'BEGIN { exit(0); }' -x cpu=100000
echo "status $?"
