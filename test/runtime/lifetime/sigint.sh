# SIGINT ends politely: END runs, aggregations print, status 0.
. "$suite/lib.sh"
"$dtrace" -qn 'tick-10ms { @ = count(); } tick-10ms /!armed/ { armed = 1; printf("armed\n"); } END { printf("end\n"); }' > out 2>&1 &
tracer=$!
await out armed
kill -INT $tracer; wait $tracer; echo $?
sed 's/^  *[0-9][0-9]*$/N/' out
