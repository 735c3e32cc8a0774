# idlethread fires in the idle thread, after on-cpu, whichever clause is first.
. "$test/../lib.sh"
for probes in sched:::on-cpu,sysinfo:::idlethread sysinfo:::idlethread,sched:::on-cpu; do
	"$dtrace" -qn 'sysinfo:::idlethread /pid != 0/ { others++; }'" $probes"'
	/cpu == 0 && pid == 0/ { printf("%s ", probename); }
	sysinfo:::idlethread /cpu == 0 && n++ == 20/ { exit(0); }
	END { printf("\n%d in other threads", others); }' > out 2>&1
	awk 'NR > 1 { print; next }
	{ for (i = $1 == "idlethread" ? 2 : 1; i < NF; i += 2) pairs[$i " " $(i + 1)]++
	  for (pair in pairs) print pair (pairs[pair] > 10 ? "" : " rarely") }' out
done
