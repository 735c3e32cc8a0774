# The states of both ends of a connection, in order.
. "$suite/net.sh"
own_network 7
# What is left of a socket in TIME_WAIT is seen only where functions are.
cat > states.d <<'D'
tcp:::state-change
/(args[3]->tcps_lport == 4070 || args[3]->tcps_lport == 4071) && args[3]->tcps_state != TCP_STATE_TIME_WAIT/
{
	printf("%d %s -> %s\n", args[3]->tcps_lport, tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]);
}
/* A new socket has no peer yet on older kernels, but its request has. */
tcp:::state-change /args[3]->tcps_lport == 4070 && args[3]->tcps_state == TCP_STATE_SYN_RECEIVED/
{
	printf("4070 from %s %d\n", args[3]->tcps_raddr, args[3]->tcps_rport);
}
tcp:::state-change /args[3]->tcps_lport == 4071/ { @[args[1]->cs_cid, args[3]->tcps_addr == args[1]->cs_addr] = count(); }
D
start_dtrace -s states.d
talk tcp $in4 2 1000
talk tcp $in6 2 1000
stop_dtrace > all
# The listener ends with its process, while its connections may still end.
for end in $port $own; do
	grep "^$end" all | grep -v 'listen -> state-closed'
done
