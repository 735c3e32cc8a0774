# tcpstat.d, udpstat.d, icmpstat.d, ipstat.d: no less than what was sent, lost and refused here.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 62
knock() {
	"$triggers/net" client $1 $in4 $port $own 1 100 &
	speaking=$!
	await_ready $speaking
	kill -USR1 $speaking
	wait $speaking
}
lossy() {
	"$triggers/lossy" $in4 &
	target=$!
	await_ready $target
	kill -USR1 $target
	wait $target
}
# lines TIME (four words) VALUE ...: add them up, and compare with the least that they must be
least() { awk -v least="$*" 'NR == 1 { n = split($0, head) } /:[0-9]+:/ { for (i = 5; i <= NF; i++) sum[i - 4] += $i }
	END { split(least, want); for (i = 1; i < n; i++) print head[i + 1], sum[i] >= want[i] ? "at least " want[i] : sum[i] " of " want[i] }'; }
echo "TCP"
tool tcpstat.d 1 -- lossy | least 17014 5003 13013 1009 4001
echo "UDP"
both() { talk udp $in4 3 1000; knock udp; lossy; }
tool udpstat.d 1 -- both | least 4 1 3 0 1
echo "ICMP"
tool icmpstat.d 1 -- knock udp | awk '/STATISTIC/ && !seen++ { print $1, $2 } $1 == "icmpOutDestUnreachs" { sum += $2 } END { print (sum >= 1) }'
echo "IP"
both() { talk udp $in4 3 1000; talk udp $in6 4 1000; }
tool ipstat.d 1 -- both | least 3 3 0 4 4 0 0 0
