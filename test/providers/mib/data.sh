# Bytes of TCP by what becomes of them, and datagrams that cannot be sent: on a connection
# that loses segments of sizes that nobody else has.
. "$suite/net.sh"
own_network 27
start_dtrace -n 'mib:::tcpInDataInorderBytes, mib:::tcpInDataUnorderBytes, mib:::tcpInDataDupBytes,
	mib:::tcpRetransBytes /args[0] == 7001 || args[0] == 5003 || args[0] == 4001 || args[0] == 1009/
	{ @[probename, args[0]] = count(); }
	mib:::udpOutErrors /execname == "lossy"/ { @[probename, args[0]] = count(); }
	END { printa("%s %d %@d\n", @); }'
"$triggers/lossy" $in4 &
target=$!
await_ready $target
kill -USR1 $target
wait $target || echo "lossy: status $?"
# how often something is lost and repeated is a matter of time
stop_dtrace > seen
awk '/InorderBytes 7001|OutErrors/ { print; next }
	/RetransBytes (5003|1009)|InorderBytes (5003|1009)|UnorderBytes 4001|DupBytes 1009/ { print $1, $2 }' seen | sort
