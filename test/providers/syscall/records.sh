# Records and drops together are the number of firings, whatever the buffer holds.  Firings that
# the kernel skips (Linux 7) are told; some of those are other processes' calls.
. "$suite/lib.sh"
"$triggers/calls" getppid 200000 2 &
target=$!
await_ready $target
"$dtrace" -q -b 64k -xswitchrate=50ms -n 'syscall::getppid:entry /pid == $1/ { printf("R %d\n", arg0); }
tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' "$target" > out 2> err &
tracer=$!
await out armed
kill -USR1 "$target"
wait "$target"
kill -INT "$tracer"
wait "$tracer"
records=$(grep -c '^R ' out)
drops=$(sed -n 's/^dtrace: \([0-9]*\) drops* on CPU .*/\1/p' err | awk '{ n += $1 } END { print n + 0 }')
skipped=$(sed -n 's/^dtrace: \([0-9]*\) drops* of syscall probes that fired while their program ran .*/\1/p' err | awk '{ n += $1 } END { print n + 0 }')
total=$((records + drops))
[ $total -lt 400000 ] && [ $((total + skipped)) -ge 400000 ] && total=400000
echo "records + drops = $total"
grep -v 'drop' err
true
