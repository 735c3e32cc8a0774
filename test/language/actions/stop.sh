# stop() stops the process where it is; pidresume() lets it go on.
. "$suite/lib.sh"
"$triggers/sleeper" > target &
pid=$!
await target ready
"$dtrace" -wqn 'syscall::getppid:entry /pid == $1/ { stop(); exit(0); }' $pid
for _ in $(seq 1200); do
	state=$(awk '/^State/ { print $2 }' /proc/$pid/status)
	[ "$state" = T ] && break
	sleep 0.05
done
echo "state $state"
"$dtrace" -wqn 'BEGIN { pidresume($1); exit(0); }' $pid
kill -USR1 $pid
wait $pid
cat target
