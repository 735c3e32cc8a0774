# A connection from its request to its end, with the addresses and ports that ss shows.
. "$suite/net.sh"
own_network 5
cat > connection.d <<'D'
tcp:::connect-request, tcp:::connect-established, tcp:::accept-established
/args[4]->tcp_sport == 4050 || args[4]->tcp_dport == 4050/
{
	printf("%s: %s %d > %s %d, flags %x, on %s %d with %s %d, %s\n", probename,
	    args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_flags,
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport,
	    tcp_state_string[args[3]->tcps_state]);
}
D
start_dtrace -s connection.d
for address in $in4 $in6; do
	: > server
	"$triggers/net" server tcp $address $port > server &
	serving=$!
	await server ready
	"$triggers/net" client tcp $address $port $own -1 1000 &
	speaking=$!
	await_ready $speaking
	kill -USR1 $speaking
	await out "accept-established: .* $address 4050, f"
	echo "ss:"
	ss -tnH state established | awk '{ print $3, $4 }' | sort
	kill -USR2 $speaking
	wait $speaking $serving
done
stop_dtrace > all
sort all
