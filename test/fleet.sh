# SPDX-License-Identifier: Apache-2.0
# For tests of the fleet: . "$suite/fleet.sh", after lib.sh.
#
# A test has a network of its own, in it a nats-server at 10.78.0.1:4222, and hosts
# that are network namespaces of this machine: each has an address, and an agent.
# All of them trace the same kernel, so what happens once is counted by each.

dtlive=$(dirname "$dtrace")/dtlive
url=nats://10.78.0.1:4222
processes=

fleet_network() {
	[ "$in_network" ] || in_network=1 exec unshare --net bash "$0"
	trap fleet_end EXIT
	ip link set lo up
	modprobe -q -a veth bridge 2> /dev/null
	if ! ip link add fleet type bridge 2> error; then
		echo "no bridge: $(cat error)"
		exit 77
	fi
	ip addr add 10.78.0.1/24 dev fleet
	ip link set fleet up
}
fleet_end() {
	for process in $processes; do
		kill $process 2> /dev/null
	done
	wait 2> /dev/null
}

# nats_start [OPTION...]: a server that keeps its streams in ./jetstream.
nats_start() {
	nats-server -js -sd "$PWD/jetstream" -a 10.78.0.1 -p 4222 "$@" > nats.log 2>&1 &
	nats=$!
	processes="$processes $nats"
	await nats.log 'Server is ready'
}

# host NAME: a namespace with an address; `in_host NAME COMMAND...` runs something in it.
host() {
	hosts=$((hosts + 1))
	unshare --net sleep 600 &
	eval "holder_$1=$!"
	processes="$processes $!"
	await_exec $! "$(readlink -f "$(command -v sleep)")"
	ip link add out$hosts type veth peer name eth0 netns $!
	ip link set out$hosts master fleet up
	nsenter -t $! -n ip addr add 10.78.0.$((hosts + 1))/24 dev eth0
	nsenter -t $! -n ip link set eth0 up
	nsenter -t $! -n ip link set lo up
}
in_host() {
	eval "holder=\$holder_$1"
	shift
	exec nsenter -t $holder -n "$@"
}

# agent NAME [OPTION...]: in a host of that name, with its log in NAME.log.
agent() {
	name=$1
	shift
	host $name
	(in_host $name "$dtlive" agent --nats $url --host $name "$@") > $name.log 2>&1 &
	eval "agent_$name=$!"
	processes="$! $processes"
	await $name.log 'is ready'
}

# run_start OPTION...: dtlive run in the background, which prints to ./out and ./err.
run_start() {
	"$dtlive" run --nats $url "$@" > out 2> err &
	run=$!
	processes="$processes $run"
}
# Ask it to end, as ^C does, and show what it has printed; hosts are ready in any order.
run_end() {
	kill -INT $run
	wait $run
	status=$?
	grep ready out | sort
	grep -v ready out
	cat err
	echo "status $status"
}

# What the trigger of all tests is: N calls of chdir(2) by this process.
change_directories() {
	for _ in $(seq $1); do
		cd .
	done
}
