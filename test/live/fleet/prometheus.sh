# The agent's totals for Prometheus: counters, histograms whose le is 2^(k+1)-1, no stacks.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
agent one --prometheus 127.0.0.1:9464
run_start --take-over counted -n 'BEGIN { printf("ready\n"); @calls[execname, "a\"b"] = count(); @sizes = quantize(5); @sizes = quantize(9); @sizes = quantize(0); @mean = avg(4); @least = min(3); @where[stack()] = count(); @l = lquantize(3, 0, 10, 5); }'
await out 'one: ready'
ask() {
	nsenter -t $holder_one -n curl -s 127.0.0.1:9464$1
}
for _ in $(seq $looks); do
	ask /metrics | grep -q dtrace_sizes_count && break
	sleep 0.1
done
ask /metrics | grep -v 'nanoseconds\|messages\|dtrace_events'
ask /
run_end > /dev/null
echo "== no place to listen"
"$dtlive" agent --nats $url --prometheus nowhere
echo "status $?"
