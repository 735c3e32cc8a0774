# A consumer that does not get to work for too long: tracing ends by itself, and the run says why.
. "$suite/lib.sh"
# stopped NAME OPTIONS...: a run whose consumer stands still for three seconds.
stopped() {
	name=$1
	shift
	"$dtrace" -q "$@" > $name 2>&1 &
	tracer=$!
	await $name armed
	kill -STOP $tracer
	sleep 3
	kill -CONT $tracer
	await $name 'aborted\|END'
	wait $tracer
	echo "status $?" >> $name
}
# The consumer waits for somebody to read what it writes, and is interrupted there: the run did not end well.
blocked() {
	mkfifo pipe
	exec 3<> pipe
	"$dtrace" -q -x deadman=1s -n 'tick-1ms { printf("%1000s\n", "x"); } END { printf("END\n"); }' > pipe 2> blocked &
	tracer=$!
	for _ in $(seq 1200); do
		[ "$(cut -d' ' -f1 /proc/$tracer/syscall 2> /dev/null)" = 1 ] && break	# write
		sleep 0.05
	done
	sleep 3
	kill -INT $tracer
	grep -a -m 1 END <&3 > read &
	reader=$!
	wait $tracer
	echo "status $?" >> blocked
	kill $reader
}
blocked &
stopped clock -x deadman=1s -n 'BEGIN { printf("armed\n"); } tick-10ms { n++; } END { printf("END\n"); }' &
stopped patient -x deadman=1min -n 'BEGIN { printf("armed\n"); } tick-10ms { n++; } tick-2s { exit(0); } END { printf("END\n"); }' &
stopped destructive -w -x deadman=1s -n 'BEGIN { printf("armed\n"); } tick-10ms { n++; } tick-2s { exit(0); } END { printf("END\n"); }' &
wait
for name in clock blocked patient destructive; do
	echo "$name:"
	grep -v '^armed$\|^$' $name
done
