# With -x interval the snapshots, merged by their functions, are what the aggregations are at the end.
cat > writes.py <<'P'
import os, time
null = os.open("/dev/null", os.O_WRONLY)
for i in range(3000):
    os.write(null, b"x" * (i % 257))
    if i % 10 == 0:
        time.sleep(0.001)
P
"$dtrace" -q -x oformat=ndjson -x interval=100ms -x record=run -c 'python3 writes.py' -n '
	syscall::write:entry /pid == $target/ { @c[arg2 & 3] = count(); @s[arg2 & 3] = sum(arg2); @n[arg2 & 3] = min(arg2);
		@x[arg2 & 3] = max(arg2); @q[arg2 & 3] = quantize(arg2); @l = lquantize(arg2, 0, 300, 50); }' > live
"$dtrace" -x oformat=ndjson --replay run > again
cmp live again && echo "a replay has the same"
cat > check.py <<'P'
import json, sys
items = [json.loads(line) for line in open("live")]
kinds = [item["type"] for item in items]
snapshots = [item for item in items if item["type"] == "snapshot"]
last = len(kinds) - 1 - kinds[::-1].index("snapshot")
print("order:", kinds[0], "snapshots before tables" if "aggregation" not in kinds[:last] else kinds, kinds[-1])

def rows(item):
    table = item["table"]
    (aggregation,) = table["aggregations"]
    for row in table["rows"]:
        value = row["value"][0]
        yield aggregation, tuple(row["key"]), ({(a, b): n for a, b, n in value} if isinstance(value, list) else value)

def merge(function, a, b):
    if isinstance(a, dict):
        return {k: a.get(k, 0) + b.get(k, 0) for k in a | b}
    return {"min": min, "max": max}.get(function, lambda x, y: x + y)(a, b)

merged, totals = {}, {}
for item in snapshots:
    assert item["second"] == item["from"] // 10**9 and item["from"] < item["to"]
    for aggregation, key, value in rows(item):
        at = aggregation["name"], key
        merged[at] = merge(aggregation["function"], merged[at], value) if at in merged else value
for item in items:
    if item["type"] == "aggregation":
        totals.update({(a["name"], key): value for a, key, value in rows(item)})
print("several" if len({s["from"] for s in snapshots}) > 2 else "few", "snapshots,", len(totals), "totals,",
      "the same" if merged == totals else (merged, totals))
intervals = sorted({(s["from"], s["to"]) for s in snapshots})
print("one after the other" if all(a[1] <= b[0] for a, b in zip(intervals, intervals[1:])) else intervals)
print(sum(value for (name, _), value in totals.items() if name == "c"), "writes")
P
python3 check.py
