# Bytes by host, sent and received, once in a while: the script as its author wrote it.
. "$suite/net.sh"
own_network 14
cat > ip_top.d <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet
dtrace:::BEGIN { ts = timestamp; }
ip:::send { @bytes[args[2]->ip_daddr, probename] = sum(args[2]->ip_plength); }
ip:::receive { @bytes[args[2]->ip_saddr, probename] = sum(args[2]->ip_plength); }
/* output collected data */
tick-$1
{
	/* top-n only */
	trunc(@bytes, $2);
	/* print per second rate */
	normalize(@bytes, (timestamp - ts) / 1000000000);
	printf("\n%Y\n", walltimestamp);
	printa("%-15s %-10s %@15d\n", @bytes);
	/* start next interval from scratch */
	ts = timestamp;
	trunc(@bytes);
}
D
start_dtrace -s ip_top.d 1s 50
while ! { grep -q "^$in4 *send" out && grep -q "^$in6 *send" out && grep -q "^$in6 *receive" out; }; do
	talk udp $in4 5 10000
	talk udp $in6 5 10000
done
stop_dtrace > all
grep -E "^($in4|$in6) " all | awk '{ print $1, $2, ($3 > 0) }' | sort -u
