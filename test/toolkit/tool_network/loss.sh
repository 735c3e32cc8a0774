# tcpretransmit, tcplistendrop.d: segments that are lost and sent again; a server that does not accept.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 68
need_probe mib:::tcpListenDrop
run() {
	"$triggers/$@" &
	target=$!
	await_ready $target
	kill -USR1 $target
	wait $target
}
tool tcpretransmit -k -- run lossy $in4 > all
head -1 all
awk -v in4=$in4 'index($0, in4) { print $5 ~ /:[0-9]+$/, $6 ~ /:[0-9]+$/, $7, $8, ($9 >= 0) } /tcp_/ { stacks = 1 } END { print stacks ? "stacks" : "no stacks" }' all | sort -u
listen_drops() { nstat -asz TcpExtListenDrops | awk '/ListenDrops/ { print $2 }'; }
before=$(listen_drops)
tool tcplistendrop.d -- run net queue $port 5 defer > all
after=$(listen_drops)
head -1 all
echo "the kernel counted drops: $((after > before))"
awk -v least=$((after - before)) 'NR > 1 { sum += $5 } END { print (sum >= least ? "seen" : sum " of " least) }' all
