# Probes that a program makes while it runs, fired by many threads: none is lost.
# Providers that are disabled and enabled while others fire and trace do no harm, and a
# child has the probes of its parent.
. "$suite/lib.sh"
"$triggers/own_probes" count 2500 4 &
target=$!
await_ready $target
"$dtrace" -qn 'made$1:::few-args { @ = count(); @sum = sum(args[0]); } tick-10ms /!armed++/ { printf("armed\n"); }
	END { printa("%@d %@d\n", @, @sum); }' $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
kill -INT $tracer
wait $tracer
grep -v -e armed -e '^$' out
rm out
# while a tracer of all processes comes and goes
"$triggers/own_probes" toggle 300 3 &
target=$!
await_ready $target
"$dtrace" -Zqn 'made*:::few-args { @[copyinstr(arg1)] = count(); } tick-10ms /!armed++/ { printf("armed\n"); }
	END { exit(0); }' > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
echo "toggled: $?"
kill -INT $tracer
wait $tracer
awk '/going on/ { print ($3 > 0) ? "fired" : "never" }' out
rm out
# a child
"$triggers/own_probes" fork &
target=$!
await_ready $target
"$dtrace" -qn 'made*:its-module::few-args /pid == args[0] && copyinstr(arg1) != "counted"/ { printf("%s %d\n", copyinstr(arg1), pid == $1); }
	tick-10ms /!armed++/ { printf("armed\n"); }' $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
kill -INT $tracer
wait $tracer
grep -v -e armed -e '^$' out
rm out
