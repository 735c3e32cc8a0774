# A thousand idle connections and many slow ones do not keep others from answers; slow ones are cut off in time.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start --client-timeout 3s
python3 - ${base##*:} $token <<'P'
import socket, sys, time, urllib.request
port, token = int(sys.argv[1]), sys.argv[2]
def ask():
    begin = time.monotonic()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/1/status", headers={"Authorization": f"Bearer {token}"})
    urllib.request.urlopen(request, timeout=20).read()
    return time.monotonic() - begin
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (4000, 4096))
idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(1000)]
slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
for connection in slow:
    connection.sendall(b"GET /api/1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n")
print("answers beside them:", ask() < 2)
# a byte now and then does not help
alive = slow
for _ in range(14):
    time.sleep(0.5)
    for connection in list(alive):
        try:
            connection.sendall(b"X")
        except OSError:
            alive.remove(connection)
print("slow ones left:", len(alive))
closed = 0
for connection in idle:
    connection.settimeout(5)
    try:
        closed += connection.recv(1) == b""
    except ConnectionError:
        closed += 1
    except TimeoutError:
        pass
print("idle ones closed:", closed)
# somebody who does not read is cut off, and the server does not keep it all
print("answers after them:", ask() < 2)
P
get /status | $json --get "value['connections']"
