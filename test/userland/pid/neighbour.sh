# Returns are those of the process, also when another tracer has probes in the
# same places of another process, few or many, and even at the same addresses.
. "$suite/lib.sh"
start() {
	setarch -R "$triggers/functions" 3 &
	target=$!
	await_ready $target
}
# trace FILE PROCESS PROBES: count until the process ends
trace() {
	"$dtrace" -qn "$3"' { @[probefunc] = count(); } tick-10ms /!armed++/ { printf("armed\n"); }
		END { printa("%s %@d\n", @); }' -p "$2" > "$1" 2>&1 &
	await "$1" armed
}
for probes in 'pid$target:functions:factorial:return' 'pid$target:functions::return'; do
	start
	quiet=$target
	start
	busy=$target
	trace quiet.out $quiet "$probes"
	tracer=$!
	trace busy.out $busy "$probes"
	kill -USR1 $busy
	wait $busy $!
	kill -INT $tracer
	wait $tracer
	kill $quiet
	wait $quiet 2> /dev/null
	echo "busy:" $(grep factorial busy.out) "quiet:" $(grep -v armed quiet.out)
done
