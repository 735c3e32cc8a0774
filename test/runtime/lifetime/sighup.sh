# SIGHUP ends a run as SIGTERM does, unless it was ignored at the start (nohup);
# the tools, too.
. "$suite/lib.sh"
build=${dtrace%/*}
program='tick-10ms /!armed/ { armed = 1; printf("armed\n"); } tick-10ms { n++; @ = count(); }
	tick-10ms /n % 10 == 0/ { printf("alive %d\n", n); }
	END { printf("end\n"); }'
lines() {
	grep -c alive out
}
"$dtrace" -qn "$program" > out 2>&1 &
tracer=$!
await out armed
kill -HUP $tracer; wait $tracer; echo "status $?"
# the aggregation comes after END
sed -n '/^end/,$p' out | sed 's/ *[0-9][0-9]*/N/'

echo "ignored"
rm out
(trap '' HUP; exec "$dtrace" -qn "$program" > out 2>&1) &
tracer=$!
await out armed
kill -HUP $tracer
before=$(lines)
for _ in $(seq $looks); do
	[ "$(lines)" -gt $((before + 1)) ] && break
	sleep 0.05
done
kill -TERM $tracer; wait $tracer; echo "status $?"
grep end out

echo "intrstat"
"$build/intrstat" 1 > out 2>&1 &
tracer=$!
await out device
kill -HUP $tracer; wait $tracer; echo "status $?"

echo "plockstat"
"$triggers/locks" &
target=$!
await_ready $target
"$build/plockstat" -v -p $target > out 2>&1 &
tracer=$!
await out enabled
kill -HUP $tracer; wait $tracer; echo "status $?"
kill $target; wait $target 2> /dev/null

echo "lockstat"
# it works long enough to be sampled before it says that it has started
"$build/lockstat" -kW -I sh -c 'n=0; while [ $n -lt 200000 ]; do n=$((n + 1)); done; echo $$ > started; exec sleep 600' > out 2>&1 &
tracer=$!
await started .
kill -HUP $tracer; wait $tracer; echo "status $?"
sed -n 's/: [0-9]* events in [0-9.]* seconds.*/: events/p' out
kill "$(cat started)"
