# A file that a process has mapped from FUSE is not read, and that is said: whoever serves it could hold up dtrace.
# Without it the names of its functions, its probes and its frames are missing, and nothing else.
. "$suite/lib.sh"
modprobe -q fuse
[ -e /dev/fuse ] || skip "this kernel has no FUSE"
told() { sed "s/$target/PID/g; s|[^ ]*/absent.mount|MOUNT|" "$@"; }

start_absent fuse
echo "functions of all objects:"
"$dtrace" -ln "pid$target:::entry" > out 2> err
told err
grep -c ' take entry' out
echo "USDT probes of all processes:"
"$dtrace" -ln 'nobody_has_this*:::' 2>&1 | grep -F "$PWD/absent.mount" | told
echo "stacks:"
"$dtrace" -qn 'pid$1:absent:take:entry { @[ustack(1)] = count(); } tick-10ms /!armed/ { armed = 1; printf("armed\n"); }
	pid$1:absent:take:entry /++n == 3/ { exit(0); }' $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $tracer
grep -e absent -e '^ *3$' out | told
kill $target
wait $target || :

echo "asked for:"
start_absent fuse 0
"$dtrace" -x blockingreads -ln "pid$target:::entry" > out 2> err
told err
grep -c ' take entry' out
kill $target
wait $target || :
