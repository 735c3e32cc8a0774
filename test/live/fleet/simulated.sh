# A hundred simulated hosts, of which a third leaves and returns, and a head that is killed: every column is complete.
# @anykernel: no program runs
# @once: it is long
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
judge() {
	echo "status $1"
	awk '{ print ($4 == $6 && $4 ? "all columns are complete" : $0) }' out
	cat err
}
"$(dirname "$dtrace")/dtsimulate" --nats $url --hosts 100 --seconds 10 --away 4-7 > out 2> err
judge $?
"$(dirname "$dtrace")/dtsimulate" --nats $url --hosts 50 --seconds 6 --kill-head 3 > out 2> err
judge $?
