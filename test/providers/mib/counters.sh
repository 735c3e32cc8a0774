# What the kernel counts in a network is seen at least as often: others may count too.
. "$suite/net.sh"
own_network 12
cat > counters.d <<'D'
mib:::tcpActiveOpens, mib:::tcpPassiveOpens, mib:::tcpAttemptFails, mib:::tcpOutRsts, mib:::tcpInSegs, mib:::tcpOutSegs,
mib:::udpInDatagrams, mib:::udpOutDatagrams, mib:::udpNoPorts, mib:::icmpInMsgs, mib:::icmpOutMsgs,
mib:::icmpInDestUnreachs, mib:::icmpOutDestUnreachs, mib:::ipInReceives, mib:::ipOutRequests
{ @[probename] = sum(args[0]); }
END { printa("%s %@d\n", @); }
D
start_dtrace -s counters.d
talk tcp $in4 3 1000
talk udp $in4 3 1000
for kind in tcp udp; do
	"$triggers/net" client $kind $in4 $port $own 1 100 &
	speaking=$!
	await_ready $speaking
	kill -USR1 $speaking
	wait $speaking
done
stop_dtrace > seen
nstat -asz > counted
python3 - <<'P'
names = {"tcp": "Tcp", "udp": "Udp", "icmp": "Icmp", "ip": "Ip"}
counted = {line.split()[0]: int(line.split()[1]) for line in open("counted") if not line.startswith("#")}
for line in sorted(open("seen")):
    name, value = line.split()
    group = next(group for group in names if name.startswith(group))
    true = counted[names[group] + name[len(group):]]
    print(name, "counted" if true > 0 else "never counted", "seen" if int(value) >= true else f"{value} of {true} seen")
P
