#!/bin/sh
# Simulated fleets of N hosts and a real server: simulate.sh DTSIMULATE N [SECONDS]
#
# As it is; a third of the hosts leaves and returns; the head is killed and another takes
# over; three servers in a cluster, of which one is killed.  Each prints a line of numbers;
# the status is 1 if a column is missing.
set -eu
simulate=$1
hosts=$2
seconds=${3:-30}
work=$(mktemp -d)
servers=
trap 'kill $servers 2> /dev/null || :; sleep 1; rm -rf "$work"' EXIT
status=0
third=$((seconds / 3))

nats-server -js -sd "$work/one" -a 127.0.0.1 -p 14222 > "$work/log" 2>&1 &
servers=$!
sleep 1
run() {
	echo "== $1"
	shift
	"$simulate" --hosts $hosts --seconds $seconds "$@" || status=1
}
run "$hosts hosts" --nats nats://127.0.0.1:14222 --server-pid $servers
run "a third leaves and returns" --nats nats://127.0.0.1:14222 --server-pid $servers --away $third-$((2 * third))
run "the head is killed" --nats nats://127.0.0.1:14222 --server-pid $servers --kill-head $third
urls=
for n in 1 2 3; do
	cat > "$work/$n.conf" <<END
server_name: n$n
listen: 127.0.0.1:1423$n
jetstream { store_dir: "$work/n$n" }
cluster { name: fleet, listen: 127.0.0.1:1424$n, routes: [ nats://127.0.0.1:14241, nats://127.0.0.1:14242, nats://127.0.0.1:14243 ] }
END
	nats-server -c "$work/$n.conf" > "$work/log$n" 2>&1 &
	servers="$servers $!"
	urls="$urls,nats://127.0.0.1:1423$n"
done
sleep 5
( sleep $third; kill -KILL ${servers##* } ) &
run "a server of a cluster is killed" --nats ${urls#,} --replicas 3
exit $status
