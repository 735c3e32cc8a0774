# A head speaks the protocol of workers: the wire is a recording that can be replayed, status lines tell of hosts.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
agent one --label role=db
agent two --label role=db
cat > spec.py <<'END'
import json, os, socket, subprocess, sys, time
ours, theirs = socket.socketpair()
wire = os.open("wire", os.O_WRONLY | os.O_CREAT, 0o600)
spec = {"program": sys.argv[3], "options": {}, "interval_ms": 1000, "hosts": "role=db", "aggby": ["host"],
        "nats": {"url": sys.argv[2]}}
def give():
    os.dup2(wire, 30); os.dup2(theirs.fileno(), 31); os.dup2(30, 3); os.dup2(31, 4)
head = subprocess.Popen([sys.argv[1], "head"], preexec_fn=give, close_fds=False)
theirs.close()
ours.sendall((json.dumps(spec) + "\n").encode())
seen, hosts, columns = set(), {}, []
for line in ours.makefile():
    event = json.loads(line)
    if event["event"] == "running":
        open("running", "w").write("running\n")
    if event["event"] == "status" and event["sources"]["reporting"] == 2 and "status" not in seen:
        print("sources", event["sources"], "errors", event["errors"], "refused", event["refused"])
        ours.sendall(b'{"do":"stop"}\n')
    if event["event"] == "hosts":
        hosts = {one["host"]: (one["state"], abs(one.get("clock_ms", 1e9)) < 500) for one in event["hosts"]}
    if event["event"] == "column":
        columns.append(event["wanted"])
    seen.add(event["event"] if event["event"] != "status" or event["sources"]["reporting"] == 2 else "")
    if event["event"] == "ended":
        print(event)
print(sorted(hosts.items()), set(columns))
head.wait()
print("status", head.returncode)
END
python3 spec.py "$dtlive" $url 'BEGIN { @[1234] = count(); @q = quantize(7); printf("it begins\n"); } tick-100ms { @n = max(5); }' 2>&1
"$dtrace" --replay wire -x oformat=ndjson > replayed
python3 - <<'END'
import collections, json
rows = collections.Counter()
for line in open("replayed"):
    fact = json.loads(line)
    text = json.dumps(fact)
    if "it begins" in text:
        rows["line"] += 1
    if "1234" in text:
        rows["row"] += 1
print(dict(rows))
END
