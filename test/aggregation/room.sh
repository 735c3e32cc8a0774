# Keys that come and go: a small table gives the room of resting ones back; what finds none is counted.
. "$test/../lib.sh"
[ "$(nproc)" -gt 1 ] || { echo "one CPU: tables keep their entries"; exit 77; }
calls=300000	# 2 MB have 16384 entries on each CPU
[ "$again" = kernel ] && calls=100000
trace_calls '#pragma D option aggsize=2m
#pragma D option strsize=40
#pragma D option aggrate=10ms
	syscall::openat:entry /pid == $1/ { @[copyinstr(arg1)] = count(); }
	tick-50ms { printa("n %@d\n", @); trunc(@); } END { printa("n %@d\n", @); }' open $calls |
	awk -v calls=$calls -v entries=$((16384 * $(nproc))) '$1 == "n" { sum += $2 } /aggregation drop/ { drops += $2 }
	END { print (sum > entries) ? "more keys than entries" : sum, (sum + drops == calls) ? "exact" : sum " + " drops }'
