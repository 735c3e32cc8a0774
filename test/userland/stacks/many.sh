# Many short programs of a language: names of their frames stay, open files do not.
. "$suite/lib.sh"
"$dtrace" -qn 'syscall::getppid:entry /execname == "python3"/ { @[ustack()] = count(); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' -x aggrate=20hz > out 2>&1 &
tracer=$!
await out armed
for n in $(seq 160); do
	/usr/bin/python3 -ISc 'import posix; posix.getppid()'
done
files=$(ls /proc/$tracer/fd | wc -l)
kill -INT $tracer
wait $tracer
[ "$files" -lt 120 ] && echo "few files" || echo "$files files"
[ "$(grep -c '<module>(<string>:1)' out)" -ge 1 ] && echo named
