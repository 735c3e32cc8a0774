# A program that makes its probes while it runs (libusdt): they are listed like any
# other, fire with the values that were given, in registers and on the stack, and
# know whether they are traced; stacks lead to who fired.
. "$suite/lib.sh"
"$triggers/own_probes" values > said &
target=$!
await_ready $target
"$dtrace" -lvn "made$target:::" | sed -n "s/made$target/madePID/; s/^ *[0-9]* *//; s/  */ /g; /^madePID\|args/p"
"$dtrace" -qn '
made$1:its-module:work:few-args { printf("%s:%s:%s %d %s\n", probemod, probefunc, probename, args[0], copyinstr(arg1)); ustack(3); }
made$1:::many { printf("%d %s %d %d %u %d %d %s %u %d\n", args[0], arg1 ? copyinstr(arg1) : "-", args[2], args[3], args[4],
	args[5], args[6], arg7 ? copyinstr(arg7) : "-", args[8], args[9]); }
tick-10ms /!armed++/ { printf("armed\n"); }' $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
kill -INT $tracer
wait $tracer
cat said
grep -v -e armed -e '^$' out | sed 's/+0x[0-9a-f]*//; s/^  *//'
# all 32, as the note has them
"$triggers/own_probes" values > said &
target=$!
await_ready $target
readelf -n "$(awk '/\/its-module$/ { print $6; exit }' /proc/$target/maps)" | sed -n '/Name: all/,/Arguments/p' | sed -n 's/.*Arguments: //p'
"$dtrace" -wqn 'made$1:::all { printf("%d %d %d %d %d %d\n", arg0, arg5, arg6, arg7, arg8, arg9); exit(0); }
	tick-10ms /!armed++/ { system("kill -USR1 %d", $1); }' $target | grep .
wait $target
