# One interrupt waits for a reader that is slow; the second ends the run at once.
. "$suite/lib.sh"
mkfifo pipe
sleep 600 < pipe &
reader=$!
"$dtrace" -qn 'tick-1ms { tracemem(curthread, 4000); } END { printf("end\n"); }' > pipe 2> err &
tracer=$!
# a full pipe stops the consumer in write(2)
for _ in $(seq 6000); do
	[ "$(awk '/^State/ { print $2 }' /proc/$tracer/status)" = S ] && grep -q pipe /proc/$tracer/wchan /proc/$tracer/stack 2>/dev/null && break
	sleep 0.01
done
kill -INT $tracer
sleep 0.5
kill -0 $tracer && echo "still waiting"
kill -INT $tracer
wait $tracer
echo "status $?"
kill $reader
wait $reader 2>/dev/null
grep -v drop err
true
