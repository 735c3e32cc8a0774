# Thousands of damaged requests, whole and in pieces: the server is the same one afterwards, and answers.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start -n 'BEGIN { @a["x"] = quantize(5); printf("said"); }'
await_value /instrumentations/1 "value['sets']"
before=$server
python3 - ${base##*:} $token <<'P'
import random, socket, sys
port, token = int(sys.argv[1]), sys.argv[2]
noise = random.Random(1)
paths = ["status", "metrics", "instrumentations", "instrumentations/1", "instrumentations/1/values", "instrumentations/1/heatmap?set=0&low=1&high=9",
         "instrumentations/1/details?set=0&keys=0", "instrumentations/1/stacks?set=0", "instrumentations/1/stop", "generate", "annotations", "restore", "events"]
bodies = ['{"metric":"syscall.calls","by":["execname"],"where":{"and":[{"eq":["execname","x"]},{}]},"stacks":false,"pid":null}',
          '{"t":1,"text":"x"}', '{"pinned":true,"title":"x"}', '{"all":false}', '[[[[{}]]]]', '{"program":null,"options":{"strsize":"1"},"pid":1e9}']
answered = 0
for turn in range(3000):
    body = noise.choice(bodies)
    request = (f"{noise.choice(['GET', 'GET', 'POST', 'PATCH', 'HEAD'])} /api/1/{noise.choice(paths)} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
               f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}").encode()
    request = bytearray(request)
    for _ in range(noise.choice([0, 1, 1, 2, 5, 40])):
        place = noise.randrange(len(request))
        change = noise.randrange(3)
        if change == 0:
            request[place] = noise.randrange(256)
        elif change == 1:
            del request[place:place + noise.randrange(1, 20)]
        else:
            request[place:place] = bytes(noise.choice(b'{}[]",:\\0eE-.%&?/\r\n\xff') for _ in range(noise.randrange(1, 5)))
        if not request:
            request = bytearray(b"x")
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(0.02)
        try:
            half = noise.randrange(len(request) + 1)
            connection.sendall(request[:half])
            connection.sendall(request[half:])
            answered += connection.recv(64).startswith(b"HTTP/1.1")
        except (OSError, TimeoutError):
            pass
print("answered many:", answered > 500)
P
live_server
[ $server = $before ] && echo "the same server"
get /status > /dev/null && echo "it answers"
cat said
