# The end of a process that comes after exit() is not told.
. "$suite/lib.sh"
"$triggers/calls" getppid 1 &
target=$!
await_ready $target
"$dtrace" -n 'syscall::getppid:entry /pid == $target/ { printf("exit\n"); exit(0); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' -p $target > out 2>&1 &
tracer=$!
await out armed
# both are there when dtrace looks
kill -STOP $tracer
kill -USR1 $target
wait $target
kill -CONT $tracer
wait $tracer
echo "status $?"
grep -o "^dtrace: pid.*\|exit$" out
