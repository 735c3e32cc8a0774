# idlethread fires in the idle thread, after on-cpu, whichever clause is first.
. "$suite/lib.sh"
for probes in sched:::on-cpu,sysinfo:::idlethread sysinfo:::idlethread,sched:::on-cpu; do
	"$dtrace" -qn 'sysinfo:::idlethread /pid != 0/ { others++; }'" $probes"'
	/pid == 0/ { printf("%d %s\n", cpu, probename); }
	sysinfo:::idlethread /n++ == 5/ { exit(0); }
	END { printf("%d in other threads\n", others); }' > out 2>&1
	# on each CPU: what came before idlethread
	awk '/other/ { print } $2 == "idlethread" && last[$1] { pairs[last[$1] " " $2]++ } { last[$1] = $2 }
	END { for (pair in pairs) print pair }' out
done
