# kill -9 of dtrace, an interrupt and exit(): the command lives on, undisturbed.
. "$suite/lib.sh"
run() {
	rm -f out
	"$dtrace" -qn "$1" -c "$triggers/calls getppid 10" > out 2>&1 &
	tracer=$!
	await out armed
	child=$(sed -n 's/^armed //p' out)
	[ -n "$2" ] && kill "$2" $tracer
	wait $tracer 2> /dev/null
	kill -0 "$child" && sed -n 's/^State:.[RSD] .*/runs/p; s/^TracerPid:./ptrace /p' "/proc/$child/status"
	kill -USR1 "$child"
	for _ in $(seq 6000); do
		[ -d "/proc/$child" ] && ! grep -q '^State:.Z' "/proc/$child/status" 2> /dev/null || { echo "its own end"; return; }
		sleep 0.01
	done
}
run 'tick-100ms /!armed/ { armed = 1; printf("armed %d\n", $target); }' -9
run 'tick-100ms /!armed/ { armed = 1; printf("armed %d\n", $target); }' -INT
run 'tick-100ms { printf("armed %d\n", $target); exit(0); }'
run 'BEGIN { printf("armed %d\n", $target); exit(0); }'
