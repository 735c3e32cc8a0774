# A process that is gone when its stacks are printed: names are those read while
# it was there.
. "$suite/lib.sh"
"$triggers/frames" 1 &
target=$!
await_ready $target
"$dtrace" -qn 'syscall::getppid:entry /pid == $1/ { @[ustack(3)] = count(); n = 1; }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); } tick-1500ms /n && n++ == 2/ { printf("seen\n"); }' \
	"$target" > out 2>&1 &
tracer=$!
await out armed
kill -USR1 "$target"
await out seen
kill -USR1 "$target"
wait "$target"
kill -INT "$tracer"
wait "$tracer"
sed '/^seen\|^armed/d; s/+0x[0-9a-f]*//' out
