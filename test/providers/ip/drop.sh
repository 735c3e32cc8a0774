# A datagram that nobody waits for is thrown away, and the kernel says why.
. "$suite/net.sh"
own_network 16
# The answer is thrown away too, on kernels that do not call it used.
start_dtrace -n 'ip:::drop-in /(args[2]->ip_daddr == "127.77.16.1" || args[2]->ip_daddr == "fd77::16") &&
	(args[4]->ipv4_protocol == IPPROTO_UDP || args[5]->ipv6_nexthdr == IPPROTO_UDP)/ {
	@[args[2]->ip_ver, args[2]->ip_plength, args[4]->ipv4_protostr, args[5]->ipv6_nextstr,
	    args[6] == SKB_DROP_REASON_NO_SOCKET ? "no socket" : "other reason"] = count(); }
	END { printa("v%d length %d %s %s, %s: %@d\n", @); }'
for address in $in4 $in6; do
	"$triggers/net" client udp $address $port $own 1 100 &
	speaking=$!
	await_ready $speaking
	kill -USR1 $speaking
	wait $speaking
done
stop_dtrace
