# The talk's one-liner: sizes of tcp_sendmsg() by a process called sshd.  The
# function had a first argument more when it was printed: arg3 is arg2 now.
. "$suite/lib.sh"
needs_functions
cat > send.py <<'P'
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()
open("/proc/self/comm", "w").write("sshd")
for size, count in ((40, 7), (100, 5), (1000, 3)):
    for _ in range(count):
        client.sendall(b"x" * size)
        peer.recv(size)
P
"$dtrace" -n 'fbt::tcp_sendmsg:entry /execname == "sshd"/ {
    @["bytes"] = quantize(arg2); }' -c 'python3 send.py' 2>&1 | grep -v 'has exited'
