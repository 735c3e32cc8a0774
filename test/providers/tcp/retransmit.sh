# A request that finds the listener's queue full is sent again: by the tracepoint, and as a segment.
. "$suite/net.sh"
own_network 11
start_dtrace -n 'rawtp:::tcp_retransmit_skb /ntohs(args[0]->__sk_common.skc_dport) == 4110/ {
	printf("retransmit to %s\n", inet_ntoa((ipaddr_t *)&args[0]->__sk_common.skc_daddr)); }' \
	-n 'tcp:::send /args[4]->tcp_dport == 4110 && args[3]->tcps_retransmit/ {
	printf("sent again to %s, flags %x, %s\n", args[2]->ip_daddr, args[4]->tcp_flags, tcp_state_string[args[3]->tcps_state]); }' \
	-n 'tcp:::connect-request /args[4]->tcp_dport == 4110/ { @ = count(); } END { printa("%@d requests\n", @); }'
"$triggers/net" queue $port 3 &
target=$!
await_ready $target
kill -USR1 $target
await out retransmit
await out again
kill -USR2 $target
wait $target
stop_dtrace > all
sort -u all
