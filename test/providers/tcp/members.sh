# What a socket and its segments say of each other, for a segment with data.
. "$suite/net.sh"
own_network 13
cat > members.d <<'D'
tcp:::connect-request /args[4]->tcp_dport == 4130/ { iss = args[4]->tcp_seq; }
tcp:::send
/args[4]->tcp_dport == 4130 && args[2]->ip_plength - args[4]->tcp_offset == 1000 && !args[3]->tcps_retransmit/
{
	printf("%s, local %d, ports %d %d\n", tcp_state_string[args[3]->tcps_state], args[3]->tcps_local, args[3]->tcps_lport, args[3]->tcps_rport);
	printf("seq is snxt %d, una %d, iss %d, ack is rnxt %d, irs before %d, rack %d\n", args[4]->tcp_seq == args[3]->tcps_snxt,
	    args[3]->tcps_snxt - args[3]->tcps_suna < 10000, args[3]->tcps_iss == iss, args[4]->tcp_ack == args[3]->tcps_rnxt,
	    args[3]->tcps_irs + 1 == args[3]->tcps_rnxt, args[3]->tcps_rack == args[3]->tcps_rnxt);
	printf("windows %d %d, scaled %d %d, as the header says %d\n", args[3]->tcps_swnd >= 1000, args[3]->tcps_rwnd >= 1000,
	    args[3]->tcps_snd_ws <= 14, args[3]->tcps_rcv_ws <= 14, args[4]->tcp_window << args[3]->tcps_rcv_ws <= args[3]->tcps_rwnd + (1 << args[3]->tcps_rcv_ws));
	printf("cwnd %d, threshold %d, sack %d %d, mss %d\n", args[3]->tcps_cwnd >= args[3]->tcps_mss, args[3]->tcps_cwnd_ssthresh > 0,
	    args[3]->tcps_sack_fack == args[3]->tcps_suna, args[3]->tcps_sack_snxt == args[3]->tcps_suna, args[3]->tcps_mss >= 500);
	printf("rto %d, rtt %d %d\n", args[3]->tcps_rto >= 200 && args[3]->tcps_rto <= 120000, args[3]->tcps_rtt > 0, args[3]->tcps_rtt_sd >= 0);
	printf("flags %x, offset %d, urgent %d, header %d, packet %d, socket %d\n", args[4]->tcp_flags & (TH_SYN | TH_FIN | TH_RST | TH_ACK), args[4]->tcp_offset >= 20,
	    args[4]->tcp_urgent, args[4]->tcp_checksum == ntohs(args[4]->tcp_hdr->check), args[0]->pkt_addr != 0, args[1]->cs_addr == args[3]->tcps_addr);
}
D
start_dtrace -s members.d
talk tcp $in4 1 1000
talk tcp $in6 1 1000
stop_dtrace
