# A command is held until its libraries are there, also where other tracers have
# probes in the program and at the place in the dynamic linker where it waits.
. "$suite/lib.sh"
cp "$triggers/sites" program
"$triggers/sleeper" > ready & sleeper=$!
await ready ready
armed='tick-10ms /!armed/ { armed = 1; printf("armed\n"); }'
"$dtrace" -qn 'pid$target:ld-linux*:_dl_debug_state:entry { } '"$armed" -p $sleeper > first 2>&1 & tracers=$!
"$dtrace" -Zqn 'sites*:program::wide { } '"$armed" > second 2>&1 & tracers="$tracers $!"
await first armed
await second armed
./program now 1 > /dev/null	# so that the second has seen it
for _ in $(seq 10); do
	timeout -k 1 20 "$dtrace" -qn 'pid$target:a.out:main:entry { n++; } END { printf("%d\n", n > 0); }' -c "./program now 1"
	echo "status $?"
done | grep -v -e '^semaphores' -e '^$' | sort | uniq -c | sed 's/^ *//'
kill -INT $tracers
wait $tracers
kill -USR1 $sleeper
wait
