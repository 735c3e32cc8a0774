# Clients that do not take their answers do not fill the memory: others are told to come later, and all is well when those are gone.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
"$triggers/write_hours" recording 200 20
live_start --replay recording --max-memory 16m --client-timeout 4s
await_value /instrumentations/1 "value['state'] == 'ended'"
python3 - ${base##*:} "$token" <<'P'
import json, socket, sys, time, urllib.error, urllib.request
port, token = int(sys.argv[1]), sys.argv[2]
def ask(path):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/1{path}", headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)
status, values = ask("/instrumentations/1/values")
print(status, len(values["columns"]) > 10)
slow = []
for _ in range(100):
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(("127.0.0.1", port))
    one.sendall(f"GET /api/1/instrumentations/1/values HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    slow.append(one)
for _ in range(100):
    status, answer = ask("/instrumentations/1/values")
    if status == 503:
        break
print(status, answer.get("error", {}).get("code"))
status, answer = ask("/status")
print(status, "memory:", answer["memory"]["rss"] < 10 * (16 << 20))
# they are sent away: they have read nothing for so long
while ask("/status")[1]["connections"] > 5:
    time.sleep(0.2)
status, again = ask("/instrumentations/1/values")
print(status, again == values)
P
