# Variables of other systems' kernels have their values here: load averages in both
# scales, processors, names of the machine, ticks, the last process.
not_between() { [ "$1" -le "$2" ] && [ "$2" -le "$3" ] || echo "$2 is not from $1 to $3"; }
load() {
	"$dtrace" -qn 'BEGIN {
		printf("%d.%02d %d.%02d\n",
			`hp_avenrun[0] / 65536, ((`hp_avenrun[0] % 65536) * 100) / 65536,
			`hp_avenrun[2] / 65536, ((`hp_avenrun[2] % 65536) * 100) / 65536);
		printf("%d.%02d %d.%02d\n",
			`avenrun[0] / 2048, ((`avenrun[0] % 2048) * 100) / 2048,
			genunix`avenrun[2] >> 11, ((genunix`avenrun[2] & 2047) * 100) >> 11);
		exit(0); }'
}
# the kernel adds half a hundredth before it cuts: allow for that one
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d > -0.015 && d < 0.015) }'; }
while :; do
	read -r one five fifteen rest < /proc/loadavg
	set -- $(load)
	read -r last five fifteen rest < /proc/loadavg
	[ "$one" = "$last" ] && break	# else it was computed anew meanwhile
done
near "$1" "$one" && near "$2" "$fifteen" || echo "hp_avenrun is $1 $2, not $one $fifteen"
near "$3" "$one" && near "$4" "$fifteen" || echo "avenrun is $3 $4, not $one $fifteen"
"$dtrace" -qn 'BEGIN { printf("%d %d %d\n", `ncpus, unix`ncpus_online, `_pagesize);
	printf("%s %s %s\n%s\n", `utsname.sysname, `utsname.nodename, `utsname.release,
		stringof(`utsname.machine)); exit(0); }' | grep . > facts
printf '%s %s %s\n%s\n%s\n' "$(getconf _NPROCESSORS_CONF)" "$(getconf _NPROCESSORS_ONLN)" \
	"$(getconf PAGESIZE)" "$(uname -snr)" "$(uname -m)" | diff facts - && echo "facts agree"
read -r before rest < /proc/uptime
ticks=$("$dtrace" -qn 'BEGIN { printf("%d\n", `lbolt / (`hz / 100)); exit(0); }')
read -r after rest < /proc/uptime
not_between "$(echo "$before" | tr -d .)" "$ticks" "$(($(echo "$after" | tr -d .) + 1))"
for try in 1 2 3; do	# numbers of processes may begin anew
	started=$(sh -c 'echo $$')
	last=$("$dtrace" -qn 'BEGIN { printf("%d\n", `mpid); exit(0); }')
	next=$(sh -c 'echo $$')
	[ "$started" -lt "$next" ] && break
done
not_between "$started" "$last" "$next"
echo "they are kept up to date"
timeout 60 sh -c 'while :; do :; done' &
spinner=$!
"$dtrace" -qn 'BEGIN { load = `hp_avenrun[0]; } tick-100ms /`hp_avenrun[0] != load/ { printf("changed\n"); exit(0); }'
kill $spinner
echo "what is wrong"
"$dtrace" -en 'BEGIN { trace(&`mpid); }' 2>&1 | head -1
"$dtrace" -en 'BEGIN { trace(ext4`mpid); }' 2>&1 | head -1
"$dtrace" -qn 'BEGIN { n = 3; trace(`hp_avenrun[n]); } ERROR { exit(0); }' 2>&1 | sed 's/ at BPF pc.*//'
