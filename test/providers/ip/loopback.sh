# Packets by destination, program and size: the ip provider's first example.
. "$suite/net.sh"
own_network 1
start_dtrace -n 'ip:::send /args[2]->ip_daddr == "127.77.1.1" || args[2]->ip_daddr == "fd77::1"/ {
	@c[args[2]->ip_daddr, execname] = quantize(args[2]->ip_plength); }' \
	-n 'ip:::receive /args[2]->ip_daddr == "127.77.1.1" || args[2]->ip_daddr == "fd77::1"/ {
	@r[args[2]->ip_daddr, args[2]->ip_ver, args[3]->if_name, args[3]->if_local] = sum(args[2]->ip_plength); }'
talk udp $in4 5 1000
talk udp $in6 3 100
stop_dtrace
