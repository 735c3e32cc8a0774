# Three servers in a cluster, one is killed: every column is complete.
# @anykernel: no program runs
# @once: it is long
. "$suite/lib.sh"
. "$suite/fleet.sh"
# beside other tests the head once got nothing more after the kill; why is not known
[ "${FLEET_LONG:-}" ] || skip "it is part of make fleet"
fleet_network
for n in 1 2 3; do
	cat > nats$n.conf <<END
server_name: n$n
listen: 10.78.0.1:422$n
jetstream { store_dir: "$PWD/jetstream$n" }
cluster { name: fleet, listen: 10.78.0.1:522$n, routes: [ nats://10.78.0.1:5221, nats://10.78.0.1:5222, nats://10.78.0.1:5223 ] }
END
	nats-server -c nats$n.conf > nats$n.log 2>&1 &
	eval "server_$n=$!"
	processes="$processes $!"
done
for _ in $(seq $looks); do
	cat nats[123].log | grep -q 'JetStream cluster new metadata leader' && break
	sleep 0.1
done
sleep 1
servers=nats://10.78.0.1:4221,nats://10.78.0.1:4222,nats://10.78.0.1:4223
"$(dirname "$dtrace")/dtsimulate" --nats $servers --replicas 3 --hosts 30 --seconds 14 > out 2> err &
simulation=$!
sleep 7
{ kill -KILL $server_1; wait $server_1; } 2> /dev/null
wait $simulation
echo "status $?"
grep -o 'hosts [0-9]* columns' out
awk '{ print ($4 == $6 ? "all columns are complete" : $0) }' out
grep -v 'NATS' err || :
