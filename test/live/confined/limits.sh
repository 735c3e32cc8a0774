# Bodies, headers and paths that are too large are refused, and the server lives on.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start
head -c 1048577 /dev/zero | tr '\0' ' ' > large
head -c 1000000 /dev/zero | tr '\0' ' ' > whole
head -c 100000 /dev/zero | tr '\0' x > word
J='Content-Type: application/json'
ask -o answer -w '%{http_code}\n' -H "$J" -H 'Expect:' --data-binary @large "$base/api/1/check"
ask -o answer -w '%{http_code}\n' -H "$J" -H 'Expect:' --data-binary @whole "$base/api/1/check"
# without a length
ask -o answer -w '%{http_code}\n' -H "$J" -H 'Transfer-Encoding: chunked' -H 'Expect:' --data-binary @large "$base/api/1/check" 2> /dev/null
ask -o answer -w '%{http_code}\n' -H "X: $(cat word)" "$base/api/1/status"
ask -o answer -w '%{http_code}\n' "$base/$(cat word)"
python3 - ${base##*:} $token <<'P'
import socket, sys
port, token = int(sys.argv[1]), sys.argv[2].encode()
head = b"Host: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n" % (port, token)
def send(what, bytes_):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(20)
        try:
            connection.sendall(bytes_)
            connection.shutdown(socket.SHUT_WR)
            answer = connection.recv(4096)
        except (ConnectionError, TimeoutError) as error:
            answer = b""
        print(what, answer.split(b"\r\n")[0].decode() or "closed")
send("a thousand headers", b"GET /api/1/status HTTP/1.1\r\n" + head + b"".join(b"X-%d: y\r\n" % i for i in range(1000)) + b"\r\n")
send("nonsense", b"\0\1\2\3" * 1000 + b"\r\n\r\n")
send("two lengths", b"POST /api/1/check HTTP/1.1\r\n" + head + b"Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}")
send("a negative length", b"POST /api/1/check HTTP/1.1\r\n" + head + b"Content-Type: application/json\r\nContent-Length: -2\r\n\r\n{}")
send("a huge length", b"POST /api/1/check HTTP/1.1\r\n" + head + b"Content-Type: application/json\r\nContent-Length: 99999999999999999999\r\n\r\n{}")
send("deep JSON", b"POST /api/1/check HTTP/1.1\r\n" + head + b"Content-Type: application/json\r\nContent-Length: 200000\r\n\r\n" + b"[" * 200000)
send("bytes", b"POST /api/1/check HTTP/1.1\r\n" + head + b"Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"program\":\"\xff\xfe")
send("no HTTP", b"hello\r\n\r\n")
P
get /status > /dev/null && echo "it answers"
live_server
kill -0 $server && cat said
