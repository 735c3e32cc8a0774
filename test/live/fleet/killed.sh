# A head that is killed leaves nothing running after its lease; another one that takes over in time has all numbers.
# @anykernel: messages and processes, not the kernel
# @once: it waits for a lease to end
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
agent one
agent two
program='BEGIN { printf("ready\n"); } syscall::chdir:entry /pid == '$$'/ { @ = count(); }'
run_start --take-over kept -n "$program"
await out 'one: ready'
await out 'two: ready'
change_directories 5
sleep 2
{ kill -KILL $run; wait $run; } 2> /dev/null
echo "== another head"
run_start --take-over kept
await out 'one: ready'
await out 'two: ready'
change_directories 6
run_end
echo "== nobody takes over"
run_start --take-over lost -n "$program"
await out 'one: ready'
await out 'two: ready'
pgrep -P $agent_one,$agent_two -c
{ kill -KILL $run; wait $run; } 2> /dev/null
began=$SECONDS
for name in one two; do
	await $name.log 'ended lost'
	grep 'lost' $name.log | sed 's/ for anyone: .*//'
done
[ $((SECONDS - began)) -le 20 ] && echo "soon enough"
pgrep -P $agent_one,$agent_two -c || :
