# socketio.d, sotop.d, soclose.d, so1stbyte.d, tcpwdist.d, soerrors.d, networkwho.d: calls of a known program.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 65
# both ends of a connection: five times 1000 bytes there, 4 back
cat > both.py <<'Y'
import ctypes, os, socket, sys
ctypes.CDLL(None).prctl(15, b"both_ends")
address, port = sys.argv[1], int(sys.argv[2])
server = socket.create_server((address, port))
client = socket.create_connection((address, port))
peer, _ = server.accept()
for _ in range(5):
    client.send(bytes(1000))
    got = 0
    while got < 1000:
        got += len(peer.recv(1000 - got))
peer.send(b"done")
client.recv(100)
client.close()
peer.close()
for wrong in (lambda: socket.create_server((address, port)),
              lambda: socket.socket().shutdown(socket.SHUT_RD),
              lambda: socket.create_connection((address, 1))):
    try: wrong()
    except OSError: pass
Y
both() { python3 both.py $in4 $port; }
echo "by process"
tool socketio.d -n both_ends -- both | awk '/PID/; $1 > 0 && $2 == "both_ends" { print $2, $3, $4, $5, $6 }' | sort
echo "the most"
tool sotop.d 100 -- both | awk '/PID/; $2 == "both_ends" { print $2, $3, $4, $5, $6, $7 }'
echo "at the end"
tool soclose.d -n both_ends -- both | awk 'NR == 1; NR > 1 { print $2, ($3 > 2), $4, ($5 >= 0), $6, $7 }'
echo "first byte"
tool so1stbyte.d -n both_ends -- both | awk '/ \(ns\)/ { name = $1 } /\|/ { sum[name] += $NF } END { for (name in sum) print name, sum[name] }'
echo "sizes of writes"
tool tcpwdist.d -n both_ends -- both | awk '/CMD/ { print $3, $4 } /\|/ && $NF > 0 { print $1, $NF }'
echo "errors"
tool soerrors.d -n both_ends -- both | awk '{ $1 = $1 > 0 ? "pid" : $1; print }'
echo "who"
tool networkwho.d -u 0 -- both | awk -v in4=$in4 '/UID/; $3 == "both_ends" { print $1, ($2 > 0), $3, $4, $5, $6, $7 }' | sort
tool networkwho.d -u 12345 -- both | awk '/both_ends/ { n++ } END { print n + 0 }'
