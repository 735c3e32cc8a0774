# %A of a number is an address in $target, and has its name even when that is gone.
. "$suite/lib.sh"
"$triggers/frames" 1 &
target=$!
for _ in $(seq 1200); do
	grep -q frames "/proc/$target/comm" && grep -q '^State:.S' "/proc/$target/status" && break
	sleep 0.01
done
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { printf("%A\n", ucaller); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' -x switchrate=100ms -p $target > out 2>&1 &
tracer=$!
await out armed
# one to make the call, one to end; two at once would be one
while kill -USR1 $target 2> /dev/null; do
	sleep 0.01
done
wait $target $tracer
sed 's/+0x[0-9a-f]*//' out
