# -p: $target, undisturbed, and the end of the run when it ends; a process not ours has no status.
. "$suite/lib.sh"
"$triggers/calls" getppid 4321 &
target=$!
await_ready $target
"$dtrace" -n 'syscall::getppid:entry /pid == $target/ { @ = count(); } tick-10ms /!armed/ { armed = 1; printf("armed"); }
	END { printa("%@d calls", @); }' -p $target > out 2> err &
tracer=$!
await out armed
kill -USR1 $target; wait $target
wait $tracer; echo "status $?"
sed -n 's/.*\(4321 calls\).*/\1/p' out
sed "s/pid $target/pid N/" err
