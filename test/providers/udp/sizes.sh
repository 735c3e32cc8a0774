# Datagrams with their sizes, ports and addresses, sent and received once each.
. "$suite/net.sh"
own_network 9
start_dtrace -n 'udp:::send, udp:::receive /args[4]->udp_dport == 4090/ {
	@[probename, args[2]->ip_ver, args[4]->udp_sport, args[4]->udp_dport, args[4]->udp_length,
	    args[3]->udps_laddr, args[3]->udps_lport, args[3]->udps_raddr, args[3]->udps_rport, args[2]->ip_plength] = count();
	@sum[probename] = sum(args[4]->udp_length - 8); }
	udp:::send /args[4]->udp_dport == 4090/ { @sock[args[3]->udps_addr != 0 && args[3]->udps_addr == args[1]->cs_addr,
	    args[4]->udp_checksum == ntohs(args[4]->udp_hdr->check)] = count(); }
	END { printa("%s v%d %d > %d length %d, on %s %d with %s %d, in %d: %@d\n", @); printa("%s %@d bytes\n", @sum);
	    printa("socket %d checksum %d %@d\n", @sock); }'
talk udp $in4 10 1
talk udp $in4 10 1400
talk udp $in6 10 500
talk udp $in4 2 0
stop_dtrace
