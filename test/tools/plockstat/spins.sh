# Adaptive mutexes: spinning in vain, before the thread waits, and with
# success.  A signal from the probe makes the holder release the lock before
# the thread has looked for the first time.
. "$suite/lib.sh"
"$triggers/spins" &
target=$!
await_ready $target
"$dtrace" -wqn '
plockstat$target:::mutex-spin { @one[probename, usym(arg0)] = count(); }
plockstat$target:::mutex-spin /spins++ == 1/ { raise(SIGUSR2); }
plockstat$target:::mutex-spun { @two[probename, usym(arg0), arg1] = count(); }
plockstat$target:::mutex-block { @one[probename, usym(arg0)] = count(); }
plockstat$target:::mutex-blocked { @two[probename, usym(arg0), arg1] = count(); }
plockstat$target:::mutex-acquire { @one[probename, usym(arg0)] = count(); }
tick-10ms /!armed++/ { printf("armed\n"); }' -p $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
wait $tracer
grep -e "spins\`" -e error out | sed 's/  */ /g' | sort
