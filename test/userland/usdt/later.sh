# A glob is also about processes that start later, and about children; each
# firing knows its provider, with the process.
. "$suite/lib.sh"
# a file of its own: other tests run at the same time
cp "$triggers/sites" ./program
./program > /dev/null &
first=$!
await_ready $first
"$dtrace" -qn '
sites*:program::guarded { @[probeprov] = count(); printf("%s %s\n", probeprov, strjoin("", copyinstr(arg0))); }
sites*:program::guarded /probeprov != strjoin("sites", lltostr(pid))/ { printf("%d is not %s\n", pid, probeprov); }
tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
./program now 2 &
second=$!
wait $second
./program now 1 1 2 &
third=$!
wait $third
kill -USR1 $first
wait $first
kill -INT $tracer
wait $tracer
sed "s/$first/FIRST/; s/$second/SECOND/; s/$third/THIRD/; s/sites[0-9][0-9]*/sitesCHILD/" out | grep -v -e armed -e '^$' | sort | uniq -c | sed 's/^ *//; s/  */ /g'
