# Programs whose static probes nobody asked for, however many start: the tracer
# holds none of their files, and still finds the one that was asked for.
# @anykernel: what is held is a matter of user space
. "$suite/lib.sh"
sed 's/"sites"/"wanted"/g' "$suite/triggers/sites.c" > wanted.c
gcc -O1 -I"$suite/triggers" -o wanted wanted.c -pthread
"$dtrace" -Zqn 'wanted*:::wide { @ = count(); } tick-10ms /!armed/ { armed = 1; printf("armed\n"); }
	tick-10ms { i++; } tick-10ms /i % 10 == 0/ { printf("look %d\n", i / 10); } END { printa("%@d\n", @); }' > out 2>&1 &
tracer=$!
await out armed
descriptors() { ls /proc/$tracer/fd | wc -l; }
# Wait for so many more turns of a tenth of a second.
looks_again() { await out "look $(($(grep -c look out) + $1))"; }
looks_again 3
before=$(descriptors)
for i in $(seq 30); do
	cp "$triggers/sites" other$i
	./other$i now 1 > /dev/null
done
looks_again 5
# other tests' programs may come and go
for _ in $(seq 100); do
	more=$(($(descriptors) - before))
	[ $more -le 0 ] && break
	sleep 0.05
done
echo "held: $((more > 0 ? more : 0))"
./wanted now 0 > /dev/null
looks_again 5
./wanted now 7 > /dev/null
kill -INT $tracer
wait $tracer
grep -v -e look -e armed out
