# Memory stays below --max-memory, whatever there is to keep: lines, keys with long words, stacks, columns.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start --max-memory 8m
for i in 1 2 3 4; do
	post /instrumentations '{"program":"profile-97hz { printf(\"%900d\", 1); printf(\"%900d\", 2); }"}' > /dev/null
done
x=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
post /instrumentations '{"program":"int n; profile-97hz { @[strjoin(\"'$x$x'\", lltostr(n++))] = quantize(n); }"}' > /dev/null
post /instrumentations '{"program":"profile-97hz { @[stack(), ustack()] = count(); }"}' > /dev/null
# until something had to go, and then some more
await_value /instrumentations "sum(one['status']['log_lost'] for one in value['instrumentations']) > 0"
python3 - "$base" "$token" <<'P'
import json, sys, time, urllib.request
def get(path):
    request = urllib.request.Request(sys.argv[1] + "/api/1" + path, headers={"Authorization": "Bearer " + sys.argv[2]})
    return json.load(urllib.request.urlopen(request, timeout=60))
most = 0
for _ in range(30):
    memory = get("/status")["memory"]
    most = max(most, memory["used"])
    time.sleep(0.2)
# what has just come is looked at a moment later
print("within the limit:", most <= 1.5 * memory["limit"] or f"{most} of {memory['limit']}")
P
