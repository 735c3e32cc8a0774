# A datagram in three fragments is three packets of IP and one of UDP.
. "$suite/net.sh"
own_network 3
ip link set lo mtu 1500
start_dtrace -n 'ip:::send, ip:::receive /args[2]->ip_daddr == "127.77.3.1"/ {
	@ip[probename, args[4]->ipv4_flags, args[4]->ipv4_offset, args[2]->ip_plength, args[4]->ipv4_protostr] = count(); }' \
	-n 'ip:::send, ip:::receive /args[2]->ip_daddr == "fd77::3"/ {
	@ip6[probename, args[5]->ipv6_nextstr, args[2]->ip_plength] = count(); }' \
	-n 'udp:::send, udp:::receive /args[2]->ip_daddr == "127.77.3.1" || args[2]->ip_daddr == "fd77::3"/ {
	@udp[probename, args[2]->ip_ver, args[4]->udp_length] = count(); }
	END { printa("%-8s flags %d offset %-4d length %-5d %s %@d\n", @ip); printa("%-8s %s %-5d %@d\n", @ip6); printa("%-8s v%d %d %@d\n", @udp); }'
talk udp $in4 2 4000
talk udp $in6 2 4000
stop_dtrace
