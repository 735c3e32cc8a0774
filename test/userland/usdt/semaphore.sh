# Semaphores are up while somebody listens, once for each, and only those of
# the probes that are traced; afterwards they are down again.
. "$suite/lib.sh"
# a provider of its own: tests beside it trace sites* and s* of all processes
LC_ALL=C sed 's/sites/alone/g' "$triggers/sites" > sites
chmod +x sites
./sites > said &
target=$!
await_ready $target
"$dtrace" -qn 'alone$1:::guarded { printf("%s %d\n", copyinstr(arg0), arg1); }
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
"$dtrace" -qn 'alone$1:::guarded, alone$1:::idle { printf("fired\n"); } tick-10ms { exit(0); }' $target | grep .
kill -USR1 $target
wait $target
cat said
