# SPDX-License-Identifier: Apache-2.0
# For tests of packets: . "$suite/net.sh"
#
# A test has networks of its own, so that addresses, ports and counters are
# known.  Probes still see the whole machine, so every test takes a number, and
# has addresses and ports that no other has.

. "$suite/lib.sh"

# Continue in a network namespace with a loopback device, and on it 127.77.N.1
# ($in4) and fd77::N ($in6).  Servers listen on $port, clients have $own.
# $network is the namespace's number.
own_network() {
	[ "$in_network" ] || in_network=1 exec unshare --net bash "$0"
	in4=127.77.$1.1 in6=fd77::$1 port=$((4000 + 10 * $1)) own=$((4001 + 10 * $1))
	ip link set lo up
	ip addr add $in6/128 dev lo nodad
	network=$(readlink /proc/self/ns/net | tr -dc 0-9)
}

# As well: a second one, that process $peer holds, and a device in each: here
# near (10.77.0.1, fd78::1), there far (10.77.0.2, fd78::2), which know each
# other and talk only when told to.  `there COMMAND` runs a command in it.
two_networks() {
	own_network $1
	unshare --net sleep 600 &
	peer=$!
	trap 'kill $peer' EXIT
	until [ "$(readlink /proc/$peer/exe)" = "$(readlink -f "$(command -v sleep)")" ] &&
	      [ "$(readlink /proc/$peer/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do
		sleep 0.05
	done
	modprobe -q veth 2>/dev/null
	if ! ip link add near address 02:77:00:00:00:01 type veth \
	     peer name far address 02:77:00:00:00:02 netns $peer 2> error; then
		echo "no pair of devices: $(cat error)"
		exit 77
	fi
	sysctl -qw net.ipv6.conf.near.accept_dad=0 net.ipv6.conf.near.router_solicitations=0
	there sysctl -qw net.ipv6.conf.far.accept_dad=0 net.ipv6.conf.far.router_solicitations=0
	ip link set near multicast off addrgenmode none up
	there ip link set far multicast off addrgenmode none up
	ip addr add 10.77.0.1/24 dev near
	ip addr add fd78::1/64 dev near nodad
	there ip addr add 10.77.0.2/24 dev far
	there ip addr add fd78::2/64 dev far nodad
	for address in 10.77.0.2 fd78::2; do
		ip neigh replace $address lladdr 02:77:00:00:00:02 dev near nud permanent
	done
	for address in 10.77.0.1 fd78::1; do
		there ip neigh replace $address lladdr 02:77:00:00:00:01 dev far nud permanent
	done
}

there() {
	nsenter --net=/proc/$peer/ns/net "$@"
}

# Start dtrace with these arguments, and wait until it traces.
start_dtrace() {
	: > out
	"$dtrace" -q "$@" -n 'tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' > out 2>&1 &
	tracer=$!
	await out armed
}

# Interrupt it, and print what it wrote, without empty lines.
stop_dtrace() {
	kill -INT $tracer
	wait $tracer
	status=$?
	grep -v -e '^armed$' -e '^$' out
	return $status
}

# Port $own here sends COUNT times SIZE bytes to $port at ADDRESS, where a
# server waits ($server may say where it runs):
#	talk tcp|udp ADDRESS COUNT SIZE
talk() {
	: > server
	$server "$triggers/net" server $1 $2 $port $3 > server &
	serving=$!
	await server ready
	"$triggers/net" client $1 $2 $port $own $3 $4 &
	speaking=$!
	await_ready $speaking
	kill -USR1 $speaking
	wait $speaking $serving
}
