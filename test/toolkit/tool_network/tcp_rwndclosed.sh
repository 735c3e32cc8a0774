# tcp_rwndclosed.d: a receiver that does not read closes its window, and opens it when it does.
. "$suite/net.sh"
own_network 89
. "$suite/toolkit.sh"
cat > load.py <<'Y'
import socket, sys, time
port = int(sys.argv[1])
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
listener.bind(("127.0.0.1", port))
listener.listen()
sender = socket.create_connection(("127.0.0.1", port))
receiver, _ = listener.accept()
sender.setblocking(False)
sent, idle = 0, 0
while idle < 20:            # until no more is taken for a while
    try:
        sent += sender.send(bytes(10000))
        idle = 0
    except BlockingIOError:
        idle += 1
        time.sleep(0.02)
while sent:
    sent -= len(receiver.recv(sent))
sender.close()
receiver.recv(1)
Y
tool tcp_rwndclosed.d -- python3 load.py $port > out
sed -n 2p out | sed 's/  */ /g'
awk -v port=$port '$2 == port { print $1, ($3 > 0 ? "closed" : $3), ($4 > 0 ? "for some time" : $4) }' out
