# A full queue of connections that nobody accepts: tcpListenDrop.
. "$suite/net.sh"
own_network 10
need_probe mib:::tcpListenDrop
listen_drops() {
	nstat -asz TcpExtListenDrops | awk '/ListenDrops/ { print $2 }'
}
# Without functions only connections that were begun are seen to be dropped.
before=$(listen_drops)
start_dtrace -n 'mib:::tcpListenDrop { @ = sum(args[0]); }
	END { printa("%@d\n", @); }'
"$triggers/net" queue $port 5 defer &
target=$!
await_ready $target
kill -USR1 $target
wait $target
after=$(listen_drops)
stop_dtrace > seen
seen=$(tr -d '\n' < seen)
echo "the kernel counted drops: $((after > before))"
echo "seen: $((seen >= after - before))"
