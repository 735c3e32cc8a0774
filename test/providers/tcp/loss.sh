# Packets are lost on the way: retransmissions, their destination, and why.
. "$suite/net.sh"
two_networks 18
cat > tcpretransmit.d <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet
dtrace:::BEGIN { trace("Tracing TCP retransmits... Ctrl-C to end.\n"); }
rawtp:::tcp_retransmit_skb
/ntohs(args[0]->__sk_common.skc_dport) == 4180/
{
	this->so = (struct sock *)arg0;
	this->d = (unsigned char *)&this->so->__sk_common.skc_daddr;
	printf("%Y: retransmit to %d.%d.%d.%d, by:", walltimestamp,
	    this->d[0], this->d[1], this->d[2], this->d[3]);
	stack(99);
}
tcp:::send /args[4]->tcp_dport == 4180 && args[3]->tcps_retransmit/ { @again[args[2]->ip_daddr] = count(); }
mib:::tcpRetransSegs /args[0] > 0/ { @segments = count(); }
END { printa("again %s\n", @again); }
D
start_dtrace -s tcpretransmit.d
there "$triggers/net" server tcp 0.0.0.0 $port > server &
serving=$!
await server ready
"$triggers/net" client tcp 10.77.0.2 $port $own -1 1000 &
speaking=$!
await_ready $speaking
kill -USR1 $speaking
until ss -tnH state established | grep -q :$port; do sleep 0.05; done
# the other side forgets its address: what comes for it is thrown away
there ip addr del 10.77.0.2/24 dev far
kill -USR2 $speaking
await out "retransmit to"
await out tcp_retransmit_timer
there ip addr add 10.77.0.2/24 dev far
wait $speaking $serving
stop_dtrace > all
grep -m1 Tracing all
grep -o -m1 'retransmit to .*' all
grep -o tcp_retransmit_timer all | sort -u
grep again all
