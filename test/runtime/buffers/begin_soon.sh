# What BEGIN prints is there when tracing has begun, even if records are read seldom:
# the heading of a tool does not wait for -x switchrate.
. "$suite/lib.sh"
"$dtrace" -q -x switchrate=1hour -n 'BEGIN { printf("heading\n"); }' > out &
tracer=$!
await out heading
kill -INT $tracer
wait $tracer
cat out
