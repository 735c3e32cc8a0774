# raise() reaches the process before its next instruction; only that one.
. "$suite/lib.sh"
"$triggers/sleeper" > target &
pid=$!
await target ready
"$dtrace" -wqn 'syscall::getppid:entry /pid == $1/ { raise(10); printf("sent\n"); exit(0); }' $pid
wait $pid
cat target
