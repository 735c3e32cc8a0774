# A program that nobody ran when tracing began, and that ends before anybody can
# look at it, is known by its file from then on.
. "$suite/lib.sh"
# a file of its own: nobody else runs it
cp "$triggers/sites" ./brief
"$dtrace" -qZn 'sites*:brief::guarded, sites*:a.out::guarded /execname == "brief"/
	{ printf("%s %d\n", probemod, probeprov == strjoin("sites", lltostr(pid))); }
	tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
for _ in $(seq 600); do
	./brief now 1
	grep -q brief out && break
	sleep 0.02
done
kill -INT $tracer
wait $tracer
grep -v -e armed -e '^$' out | sort -u
