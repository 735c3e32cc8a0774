# A host that comes later takes part; one whose agent is killed and comes again takes part again; the others go on.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
agent one
run_start -x aggby=host -n 'BEGIN { printf("ready\n"); } syscall::chdir:entry /pid == '$$'/ { @ = count(); }'
await out 'one: ready'
change_directories 3
agent two
await out 'two: ready'
change_directories 4
sleep 2
{ kill -KILL $agent_two; wait $agent_two; } 2> /dev/null
change_directories 5
(in_host two "$dtlive" agent --nats $url --host two) > two.log 2>&1 &
processes="$! $processes"
for _ in $(seq $looks); do
	[ "$(grep -c 'two: ready' out)" = 2 ] && break
	sleep 0.1
done
change_directories 6
run_end > ended
grep -v ready ended
