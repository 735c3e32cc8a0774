# profile-N fires on every CPU that is online, however many there are.
. "$suite/lib.sh"
for range in $(tr ',' ' ' < /sys/devices/system/cpu/online); do
	seq "${range%-*}" "${range#*-}"
done > online
: > out
"$dtrace" -qn 'profile-997 /!seen[cpu]++/ { printf("%d\n", cpu); }' > out 2>&1 &
tracer=$!
for _ in $(seq 1200); do
	[ "$(grep -c . out)" -ge "$(grep -c . online)" ] && break
	sleep 0.05
done
kill -INT $tracer
wait $tracer
grep . out | sort -n | cmp - online && echo "every CPU, once"
