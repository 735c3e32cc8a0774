# Semaphores are up while somebody listens, once for each, and only those of
# the probes that are traced; afterwards they are down again.
. "$test/../lib.sh"
# a file of its own: tests beside it trace all processes of the other one
cp "$triggers/sites" sites
./sites > said &
target=$!
await_ready $target
"$dtrace" -qn 'sites$1:::guarded { printf("%s %d\n", copyinstr(arg0), arg1); }
	tick-10ms /!armed++/ { printf("armed\n"); }' $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
kill -INT $tracer
wait $tracer
cat said
grep -v -e '^armed$' -e '^$' out

# one more, that is gone when the program asks
./sites > said &
target=$!
await_ready $target
"$dtrace" -qn 'sites$1:::guarded, sites$1:::idle { printf("fired\n"); } tick-10ms { exit(0); }' $target | grep .
kill -USR1 $target
wait $target
cat said
