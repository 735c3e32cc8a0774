# Events tell of everything that happens to an instrumentation, with all keys that columns use.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start
ask -N "$base/api/1/events" > events 2> /dev/null &
listener=$!
await events hello
post /instrumentations '{"program":"BEGIN { @n[\"first\"] = count(); printf(\"said\"); } tick-1500ms { @n[\"second\"] = count(); }"}' > /dev/null
await events '\["second"\]'
await events '^event: log'
await events '^event: status'
send DELETE /instrumentations/1 '' > /dev/null
await events '^event: gone'
kill $listener
python3 - <<'P'
import json
keys, counts, names = {}, {}, set()
for block in open("events").read().split("\n\n"):
    if not block.startswith("event: ") or "\ndata: " not in block:
        continue
    name, data = block.split("\ndata: ", 1)
    try:
        data = json.loads(data)
    except ValueError:
        continue    # cut off at the end
    names.add(name[7:])
    if name == "event: column":
        keys.update({(s, n): words for s, n, words in data["keys"]})
        for key, node, count in data["column"]["rows"]:
            words = keys[data["column"]["set"], key][0]
            counts[words] = counts.get(words, 0) + count
    if name == "event: log":
        print([line["text"] for line in data["lines"]])
    if name == "event: gone":
        print(data)
print(sorted(names - {"metrics", "message"}))
print(counts.get("first"), counts.get("second", 0) >= 1)
P
