# A consumer that is stopped for a while loses only what it says it lost.
. "$suite/lib.sh"
"$triggers/calls" getppid 50000 2 &
target=$!
await_ready $target
"$dtrace" -q -b 256k -n 'syscall::getppid:entry /pid == $1/ { printf("R %d\n", arg0); }
tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' "$target" > out 2> err &
tracer=$!
await out armed
kill -STOP "$tracer"
kill -USR1 "$target"
wait "$target"
kill -CONT "$tracer"
kill -INT "$tracer"
wait "$tracer"
records=$(grep -c '^R ' out)
drops=$(sed -n 's/^dtrace: \([0-9]*\) drops* on CPU .*/\1/p' err | awk '{ n += $1 } END { print n + 0 }')
echo "records + drops = $((records + drops))"
[ "$drops" -gt 0 ] && echo "some were lost"
grep -v 'drop' err
true
