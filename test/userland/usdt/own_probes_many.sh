# A program with thousands of probes that it makes while it runs: all are listed, and each
# fires once with its own value.  Providers that come and go leave nothing in memory.
. "$suite/lib.sh"
number=3000
[ -n "$again" ] && number=500
"$triggers/own_probes" many $number > said &
target=$!
await_ready $target
"$dtrace" -ln "lots$target:::" | awk -v number=$number 'NR > 1 { n += $5 ~ /^probe-/ } END { print "listed:", n == number }'
"$dtrace" -qn 'lots$1:::probe-* { @ = count(); @sum = sum(args[0]); @names[probename] = count(); }
	tick-10ms /!armed++/ { printf("armed\n"); } END { printa("%@d %@d\n", @, @sum); printa("name %@d\n", @names); }' $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
kill -INT $tracer
wait $tracer
awk -v number=$number '/^name 1$/ { names++ } /^[0-9]+ [0-9]+$/ { print "all:", $1 == number, $2 == number * (number - 1) / 2 }
	/drop|error/ { print } END { print "names:", names == number }' out
sed "s/fired $number/fired all/" said
