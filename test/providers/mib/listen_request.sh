# A request that finds the queue full is dropped without a trace, but for the functions that do it.
. "$suite/net.sh"
own_network 15
need_probe fbt::tcp_conn_request:entry
# whichever thread it is that the kernel handles packets in: on a busy machine a kernel's own
start_dtrace -n 'mib:::tcpListenDrop { @ = sum(args[0]); printf("drop\n"); }'
"$triggers/net" queue $port 4 &
target=$!
await_ready $target
kill -USR1 $target
await out drop
kill -USR2 $target
wait $target
stop_dtrace > seen
nstat -asz TcpExtListenDrops | awk '/ListenDrops/ { print "the kernel counted drops:", ($2 > 0) }'
grep -m1 drop seen
