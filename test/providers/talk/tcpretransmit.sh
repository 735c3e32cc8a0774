# tcpretransmit.d of the Linux talk, as printed there: packets are really lost,
# in a network of the test's own.
. "$suite/lib.sh"
needs_functions
modprobe -q sch_netem 2>/dev/null
if [ -z "$inside" ]; then
	inside=yes exec unshare -n bash "$0"
fi
ip link set lo up
tc qdisc add dev lo root netem loss 0% 2>/dev/null || skip "this kernel has no netem"
cp "$test/tcpretransmit.d.txt" tcpretransmit.d
cat > lose.py <<'P'
import socket, subprocess, time
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()
subprocess.check_call("tc qdisc change dev lo root netem loss 100%", shell=True)
client.sendall(b"x")
time.sleep(1.5)
subprocess.check_call("tc qdisc change dev lo root netem loss 0%", shell=True)
peer.recv(1)
P
"$dtrace" -s ./tcpretransmit.d -c 'python3 lose.py' > out 2>&1
head -1 out
grep -o 'retransmit to 127.0.0.1, by:' out | sort -u
grep -o 'vmlinux`tcp_retransmit_timer+' out | sort -u
grep -o 'vmlinux`tcp_write_timer+' out | sort -u
