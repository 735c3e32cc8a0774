# Ten thousand functions of one process: armed, counted and removed; then the
# tracer is killed in the middle, and nothing of its probes is left.  An event
# of tracefs takes the longer the more there are: a hundred for those.
# @timeout: 300
. "$suite/lib.sh"
n=10000 functions='f[0-9]*'
grep -q uprobe_multi_link /proc/kallsyms || { n=100; functions='f1[0-9][0-9]'; }
cp "$triggers/many" .
./many > said & target=$!
await_ready $target
left() {
	for _ in $(seq 2400); do
		count=$(probes)
		[ "$count" = 0 ] && break
		sleep 0.05
	done
	echo "probes left: $count"
}
# int3 in the code of the process, and events in tracefs
probes() {
	range=$(awk '$2 ~ /x/ && $6 ~ /many$/ { print $1, $3; exit }' /proc/$target/maps)
	offset=$((0x${range#* } / 4096))
	range=${range% *}
	start=$((0x${range%-*} / 4096)) end=$((0x${range#*-} / 4096))
	dd if=/proc/$target/mem of=seen bs=4096 skip=$start count=$((end - start)) 2> /dev/null
	dd if=many of=true bs=4096 skip=$offset count=$((end - start)) 2> /dev/null
	cmp -l seen true > differ
	grep dtrace_ /sys/kernel/tracing/uprobe_events >> differ 2> /dev/null
	wc -l < differ
}
"$dtrace" -n 'pid$target:many:'"$functions"':entry { @[probefunc] = count(); @all = count(); }
	END { printa("total %@d\n", @all); trunc(@all); trunc(@); } BEGIN { printf("begun\n"); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' -q -p $target > out 2> err &
tracer=$!
await out armed
kill -USR1 $target
await said called
kill -INT $tracer
wait $tracer
grep total out | awk '{ print ($2 == '$n') ? "every function" : $0 }'
left
rm -f out
"$dtrace" -qn 'pid$target:many:'"$functions"':entry { n++; } tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' -p $target > out 2>&1 &
tracer=$!
await out armed
[ "$(probes)" -gt 0 ] && echo "probes are there"
{ kill -9 $tracer
wait $tracer; } 2> /dev/null
left
kill -0 $target && echo "the process lives"
: > said
kill -USR1 $target
await said called
kill -0 $target && echo "and works"
kill $target
