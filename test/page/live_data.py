# SPDX-License-Identifier: Apache-2.0
"""Snapshots of the live page, made up: a panel for each view, names that want to be markup."""
import math

HOSTILE = "<img src=x onerror=alert(1)>"
START = 1700000000000
SECONDS = 180
FIELDS = [{"name": "latency", "title": "latency", "type": "number", "unit": "ns"}, {"name": "execname", "title": "program", "type": "string"},
          {"name": "ustack", "title": "user stack", "type": "stack"}]
ROWS = [[None, -1], [0, 0]] + [[2 ** i, 2 ** (i + 1) - 1] for i in range(62)] + [["4611686018427387904", None]]


def noise(seed):
    x = math.sin(seed * 12.9898) * 43758.5453
    return x - math.floor(x)


def a_set(number, name, function, keys, unit="", kind="scalar", stacks=False):
    return {"set": number, "name": name, "function": function, "kind": kind, "keyNames": keys, "hasStacks": stacks,
            "rows": ROWS if kind == "histogram" else [], "unit": unit, "additive": True}


def instrumentation(number, title, view, sets, **more):
    return {"id": number, "title": title, "state": "running", "reason": "", "error": None, "program": "syscall:::entry\n{\n\t@ = count();\n}\n",
            "metric": None, "by": [], "where": None, "stacks": False, "pinned": False, "started": START, "ended": None, "view": view,
            "unit": "events", "full": None, "fields": [], "sets": sets,
            "status": {"events": 123456, "drops": 0, "faults": 0, "cost": 0.0042, "cost_ns_per_event": 310, "kernel_bytes": 3 << 20, "rss_bytes": 20 << 20, "probes": 448,
                       "log_lost": 0, "keys_lost": 0, "stacks_lost": 0}, **more}


def values(sets, keys, columns=(), frames=(), nodes=((0, 0),), log=()):
    return {"sets": sets, "keys": keys, "frames": list(frames), "nodes": list(nodes), "columns": list(columns), "log": list(log)}


def latency_columns():
    """Two programs; one of them is slow for three seconds out of twenty."""
    for second in range(SECONDS):
        rows = [[0, 2, *[n for row in range(10, 17) for n in (row + 2, int(200 * math.exp(-(row - 13) ** 2 / 3) * (0.6 + noise(second * 50 + row))))]],
                [1, 3, 14, 1 + int(20 * noise(second))]]
        if second % 20 < 3:
            rows.append([1, 4, 29, 3 + second % 4, 30, 12])
        yield {"t": START + 1000 * second, "set": 0, "rows": rows, "sources": 1}


def snapshot(title="File-system latency by program", key=HOSTILE):
    latency = a_set(0, "latency", "quantize", ["execname"], "ns", "histogram", True)
    counts = a_set(0, "calls", "count", ["execname"], "calls")
    busy = a_set(0, "busy", "sum", ["cpu"], "ns")
    stacks = a_set(0, "on", "count", ["execname"], "samples", stacks=True)
    frames = [["main", "postgres", 1], ["heap_insert", "postgres", 1], ["XLogFlush", "postgres", 1], ["vfs_read", "kernel", 0], ["vfs_fsync_range", "kernel", 0],
              ["<script>alert(2)</script>", "libc.so.6", 1]]
    nodes = [[0, 0], [0, 0], [1, 3], [1, 5], [1, 2], [4, 4], [3, 3], [1, 1]]
    lives = []
    for i in range(40):
        begin = START + 1000 * (SECONDS - 100 + 2 * i)
        lives += [{"t": begin, "cpu": 0, "probe": "proc:::create", "text": f"fork {1000 + i}", "values": ["fork", 1000 + i, 1000 + i - i % 5 if i % 5 else 1, "make"]},
                  {"t": begin + 20, "cpu": 0, "probe": "proc:::exec-success", "text": f"exec {1000 + i} {key}", "values": ["exec", 1000 + i, 1, ["cc1", "as", "make", key][i % 4]]},
                  {"t": begin + 300 + 4000 * noise(i), "cpu": 0, "probe": "proc:::exit", "text": f"exit {1000 + i}", "values": ["exit", 1000 + i, 1, ["cc1", "as", "make", key][i % 4]]}]
    panels = [
        instrumentation(1, title, "heatmap", [latency], metric="fs.operations", by=["latency", "execname"], fields=FIELDS, unit="operations", pinned=True,
                        where={"ne": ["execname", "dtlive"]}),
        instrumentation(2, "System calls by program", "line", [counts]),
        instrumentation(3, "CPU utilization", "utilization", [busy], full=10 ** 9, unit="ns"),
        instrumentation(4, "On the CPU", "flame", [stacks], unit="samples"),
        instrumentation(5, "Processes", "timeline", []),
        instrumentation(6, "A program with a fault", "heatmap", [], state="failed", reason="it does not compile",
                        error={"message": f"syntax error near {key}", "excerpt": "line 1: BEGIN { foo( }\n                       ^", "complaints": []}),
    ]
    panels[1]["status"].update(drops=12, keys_lost=3)
    return {
        "status": {"version": "1.0", "host": "db1", "kernel": "6.1", "boot": "", "epoch": "a", "now": START + 1000 * SECONDS, "interval": 1000, "retention": 600,
                   "memory": {"used": 34 << 20, "limit": 256 << 20}, "instrumentations": {"count": 6, "limit": 20}, "destructive": False, "replay": False,
                   "max_cost": None, "lost": []},
        "metrics": None, "instrumentations": panels,
        "values": {
            "1": values([latency], [[["postgres"], [key]]], latency_columns(), frames, nodes),
            "2": values([counts], [[[name] for name in ("postgres", "bash", "nginx", key)]], ({"t": START + 1000 * s, "set": 0, "rows": [
                [k, 0, int((4 - k) * 1000 * (1 + noise(s + 100 * k)) + (6000 if k == 0 and s % 30 < 4 else 0))] for k in range(4)]} for s in range(SECONDS))),
            "3": values([busy], [[[f"cpu{c}"] for c in range(8)]], ({"t": START + 1000 * s, "set": 0, "rows": [
                [c, 0, int(10 ** 9 * (0.1 + 0.9 * noise(s // 7 + 40 * c) ** 3))] for c in range(8)]} for s in range(SECONDS))),
            "4": values([stacks], [[["postgres"]]], ({"t": START + 1000 * s, "set": 0, "rows": [[0, 2, 20], [0, 5, 9], [0, 6, 4], [0, 7, 30]]} for s in range(SECONDS)), frames, nodes),
            "5": values([], [], log=sorted(lives, key=lambda line: line["t"])),
            "6": values([], []),
        },
        "annotations": [{"n": 1, "t": START + 1000 * (SECONDS - 50), "text": "deployed " + key}],
    }
