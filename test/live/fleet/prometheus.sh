# Totals of an agent and of a head for Prometheus: counters, histograms whose le is 2^(k+1)-1, no stacks.
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
echo "== of a head: all hosts"
agent two
run_start --prometheus 127.0.0.1:9465 -n 'BEGIN { printf("ready\n"); @calls[execname] = count(); @sizes = quantize(5); }'
await out 'one: ready'
await out 'two: ready'
for _ in $(seq $looks); do
	curl -s 127.0.0.1:9465/metrics | grep -q 'dtrace_sizes_count.* 2$' && break
	sleep 0.1
done
curl -s 127.0.0.1:9465/metrics | grep '^dtrace_head\|^dtrace_calls\|^dtrace_sizes' | sed 's/instrumentation="[0-9a-f]*"/instrumentation="ID"/'
run_end > /dev/null
echo "== no place to listen"
"$dtlive" agent --nats $url --prometheus nowhere
echo "status $?"
