# Keys that come and go: a small table gives the room of resting ones back; what finds none is counted.
. "$suite/lib.sh"
[ "$(nproc)" -gt 1 ] || { echo "one CPU: tables keep their entries"; exit 77; }
entries=$((16384 * $(nproc)))	# 2 MB have 16384 on each CPU
name=room$$	# that nobody else has
cp "$triggers/calls" $name
"$dtrace" -q -x aggsize=2m -x strsize=40 -x aggrate=10ms -n '
	syscall::openat:entry /execname == $$1 && copyinstr(arg1, 8) == "/nowhere"/ { @[copyinstr(arg1), pid] = count(); }
	tick-50ms { printa("n %@d\n", @); trunc(@); } tick-50ms /!armed++/ { printf("armed\n"); }
	END { printa("n %@d\n", @); }' $name > out 2>&1 &
tracer=$!
await out armed
calls=0
for _ in $(seq 100); do
	./$name now open 20000
	calls=$((calls + 20000))
	[ "$(grep -c '^n' out)" -gt $entries ] && break
done
kill -INT $tracer
wait $tracer
awk -v calls=$calls -v entries=$entries '$1 == "n" { keys++; sum += $2 } /aggregation drop/ { drops += $2 }
	END { print (keys > entries) ? "more keys than entries" : keys " keys", (sum + drops == calls) ? "exact" : sum " + " drops }' out
