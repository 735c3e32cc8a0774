# A request that nobody waits for: refused here, refused there, nothing more.
. "$suite/net.sh"
own_network 6
start_dtrace -n 'tcp:::connect-request, tcp:::connect-refused, tcp:::accept-refused,
	tcp:::connect-established, tcp:::accept-established /args[4]->tcp_sport == 4060 || args[4]->tcp_dport == 4060/ {
	printf("%s: %s %d > %s %d, flags %x, on %s %d, %s\n", probename, args[2]->ip_saddr, args[4]->tcp_sport,
	    args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_flags, args[3]->tcps_laddr, args[3]->tcps_lport,
	    tcp_state_string[args[3]->tcps_state]); }'
for address in $in4 $in6; do
	"$triggers/net" client tcp $address $port $own 1 1000 &
	speaking=$!
	await_ready $speaking
	kill -USR1 $speaking
	wait $speaking
done
stop_dtrace
