# SIGTERM does the same.
. "$suite/lib.sh"
"$dtrace" -qn 'tick-10ms /!armed/ { armed = 1; printf("armed\n"); } END { printf("end\n"); }' > out 2>&1 &
tracer=$!
await out armed
kill -TERM $tracer; wait $tracer; echo $?
cat out
