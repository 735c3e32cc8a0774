# SPDX-License-Identifier: Apache-2.0
"""Reads structured output and prints it with what differs from run to run left out.

    check.py json|ndjson < output

Fails when the output is no JSON, or is not what doc/output.md says.
"""
import json, sys

NEEDED = {
    "start": {"version"},
    "record": {"cpu", "probe", "actions"},
    "aggregation": {"table"},
    "drop": {"kind", "count", "cpu", "text"},
    "error": {"probe", "clause", "fault", "code", "value", "text"},
    "end": {"status"},
}


def check_table(table):
    names = [a["name"] for a in table["aggregations"]]
    for row in table["rows"]:
        assert set(row) <= {"key", "value", "percentiles", "cpus"}, row
        assert len(row["key"]) == len(table["keys"]) and len(row["value"]) == len(names), row
        for value in row["value"]:
            assert isinstance(value, int) or all(len(b) == 3 for b in value), value


def check(item):
    assert NEEDED[item["type"]] <= set(item), item
    assert item["walltimestamp"] > item["timestamp"] > 0, item
    if "table" in item:
        check_table(item["table"])
    for action in item.get("actions", []):
        if "table" in action:
            check_table(action["table"])


def read(form):
    if form == "json":
        document = json.load(sys.stdin)
        assert document["version"] == 1 and document["walltimestamp"] > document["timestamp"]
        return document["items"]
    items = [json.loads(line) for line in sys.stdin]
    assert items[0]["type"] == "start" and items[0]["version"] == 1
    return items[1:]


items = read(sys.argv[1])
for item in items:
    check(item)
assert items[-1]["type"] == "end"
for item in items:
    for name in ("timestamp", "walltimestamp", "cpu"):
        item.pop(name, None)
    if "probe" in item:
        item["probe"] = ":".join(item["probe"][n] for n in ("provider", "module", "function", "name"))
    print(json.dumps(item))
