# dapptrace, dappprof: functions of a program that calls each a known number of times.
. "$suite/toolkit.sh"
# Run tool $1 with options on the trigger, which waits for a signal before it calls.
on_functions() {
	name=$1
	shift
	DTRACE=$dtrace "$suite/../toolkit/$name" "$@" "$triggers/functions" 4 > out &
	tracer=$!
	target=
	for _ in $(seq $looks); do
		target=$(pgrep -P $tracer -x functions) && break
		sleep 0.05
	done
	await_ready "$target"
	kill -USR1 "$target"
	wait $tracer
}
on_functions dapptrace -F
head -1 out
awk '/-> factorial\(0x4/ { match($0, /[^ ]/); base = RSTART } base { sub(/,.*/, ")"); print substr($0, base) } /<- factorial = 24/ { exit }' out
echo "greet: $(grep -c -e '-> greet' out) entries, $(grep -c -e '<- greet = 42' out) returns"
on_functions dapptrace -a
head -1 out
awk '/<- greet = 42/ && $1 ~ /^[0-9]+\/[0-9]+/ && $4 >= $5 { n++ } $1 == "greet" { print n, $0 }' out
on_functions dappprof -aT
awk '/^CALL/ { what = $2; print } $1 == "TOTAL:" && sum[what] != $2 { print "total", $2, "sum", sum[what] }
	{ sum[what] += $2 }
	$1 == "greet" { print $1, (what == "COUNT" ? $2 : $2 > 0 ? "some time" : $2) }' out
