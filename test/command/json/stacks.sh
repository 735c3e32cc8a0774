# Stacks are arrays of frames, symbols are strings.
"$dtrace" -qx oformat=ndjson -n 'profile-50hz { stack(); ustack(); @[stack(), sym(caller)] = count(); } tick-300ms { exit(0); }' > out
python3 - <<'P'
import json
for item in map(json.loads, open("out")):
    for action in item.get("actions", []):
        if action["action"] in ("stack", "ustack"):
            assert all(isinstance(frames, list) and all(isinstance(f, str) for f in frames) for frames in action["values"]), action
    if item["type"] == "aggregation":
        for row in item["table"]["rows"]:
            assert isinstance(row["key"][0], list) and isinstance(row["key"][1], str), row
        print([k["name"] for k in item["table"]["keys"]], bool(item["table"]["rows"]))
P
