# Every probe of plockstat: how often, with which arguments.
. "$suite/lib.sh"
"$triggers/locks" &
target=$!
await_ready $target
"$dtrace" -qn '
plockstat$target:::mutex-acquire, plockstat$target:::mutex-release,
plockstat$target:::rw-acquire, plockstat$target:::rw-release { @two[probename, usym(arg0), arg1] = count(); }
plockstat$target:::mutex-block { @one[probename, usym(arg0)] = count(); }
plockstat$target:::mutex-blocked, plockstat$target:::rw-block { @two[probename, usym(arg0), arg1] = count(); }
plockstat$target:::rw-blocked { @three[probename, usym(arg0), arg1, arg2] = count(); }
plockstat$target:::mutex-error { @error[probename, arg1] = count(); }
plockstat$target:::rw-error { @three[probename, usym(arg0), arg1, arg2] = count(); }
tick-10ms /!armed++/ { printf("armed\n"); }' -p $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
wait $tracer
grep -e "locks\`" -e error out | sed 's/  */ /g' | sort
