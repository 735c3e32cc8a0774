# All members of the ip provider's arguments; those of the other version are none.
. "$suite/net.sh"
own_network 4
cat > members.d <<'D'
ip:::send, ip:::receive
/args[2]->ip_daddr == "127.77.4.1" || args[2]->ip_daddr == "fd77::4"/
{
	printf("%s v%d %d %s %s\n", probename, args[2]->ip_ver, args[2]->ip_plength, args[2]->ip_saddr, args[2]->ip_daddr);
	printf(" %s local %d stack %d addr %d packet %d\n", args[3]->if_name, args[3]->if_local, args[3]->if_ipstack == (int)$1,
	    args[3]->if_addr != 0, args[0]->pkt_addr != 0);
	printf(" v%d ihl %d tos %d length %d flags %d offset %d ttl %d protocol %d %s %x %x %s %s %d\n", args[4]->ipv4_ver, args[4]->ipv4_ihl,
	    args[4]->ipv4_tos, args[4]->ipv4_length, args[4]->ipv4_flags, args[4]->ipv4_offset, args[4]->ipv4_ttl, args[4]->ipv4_protocol,
	    args[4]->ipv4_protostr, args[4]->ipv4_src, args[4]->ipv4_dst, args[4]->ipv4_saddr, args[4]->ipv4_daddr, args[4]->ipv4_hdr != NULL);
	printf(" v%d class %d length %d next %d %s hops %d %s %s %d\n", args[5]->ipv6_ver, args[5]->ipv6_tclass, args[5]->ipv6_plen,
	    args[5]->ipv6_nexthdr, args[5]->ipv6_nextstr, args[5]->ipv6_hlim, args[5]->ipv6_saddr, args[5]->ipv6_daddr, args[5]->ipv6_hdr != NULL);
}
ip:::send /args[2]->ip_daddr == "127.77.4.1"/ { printf(" checksum, ident, header: %d\n", args[4]->ipv4_checksum == ntohs(args[4]->ipv4_hdr->check) && args[4]->ipv4_ident == ntohs(args[4]->ipv4_hdr->id)); }
ip:::send /args[2]->ip_daddr == "fd77::4"/ { printf(" flow %d, addresses %s %s\n", args[5]->ipv6_flow < (1 << 20), inet_ntoa6(args[5]->ipv6_src), inet_ntoa6(args[5]->ipv6_dst)); }
D
start_dtrace -s members.d $network
talk udp $in4 1 100
talk udp $in6 1 100
stop_dtrace
