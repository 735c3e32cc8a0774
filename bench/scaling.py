#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How cost grows with work: clauses, loops, probes, keys, strings.  Nothing may grow faster than the work.

    scaling.py DTRACE HAND-DIR [--markdown FILE]

Each table has the work, the CPU time, how many times that of the line before
that is, and the time by the clock.  Times are the least of several runs,
because others only ever make it more.  A line whose CPU time grew more than
twice as much as its work (what no longer fits in caches grows half as much
again) is measured again together with the one before; if it stays so it is
marked, and makes the exit status 1.
"""
import argparse, os, sys, tempfile

from measure import Tracer, Workload, cpu_and_wall, many_functions, time_on_cpu

parser = argparse.ArgumentParser()
parser.add_argument("dtrace")
parser.add_argument("hand")
parser.add_argument("--markdown")
options = parser.parse_args()
DTRACE, HAND = os.path.abspath(options.dtrace), os.path.abspath(options.hand)
BEYOND_NOISE, AGAIN = 2, 2
worse, pages = 0, []


def is_steep(before, work, spent):
    return spent[0] / before[1][0] > BEYOND_NOISE * work / before[0]


def least_of(costs):
    """The smallest of pairs {CPU time, wall time}, in ms."""
    return tuple(min(column) for column in zip(*costs))


def table(title, unit, works, cost):
    global worse
    print(f"\n{title}\n{unit:>12} {'CPU, ms':>12} {'growth':>8} {'clock, ms':>12}")
    lines, before = [f"{title}:\n", f"| {unit} | CPU | growth | clock |", "|---:|---:|---:|---:|"], None
    for work in works:
        spent = cost(work)
        for _ in range(AGAIN):
            if before and is_steep(before, work, spent):
                before = before[0], least_of((before[1], cost(before[0])))
                spent = least_of((spent, cost(work)))
        mark = "WORSE THAN LINEAR" if before and is_steep(before, work, spent) else ""
        growth = spent[0] / before[1][0] if before else 1
        worse += bool(mark)
        print(f"{work:12,} {spent[0]:12,.2f} {growth:8.2f} {spent[1]:12,.2f}   {mark}", flush=True)
        lines.append(f"| {work:,} | {spent[0]:,.1f} ms | {f'{growth:.1f} ×' if before else ''} {mark} | {spent[1]:,.1f} ms |")
        before = work, spent
    pages.append("\n".join(lines) + "\n")


def least(command, times=5):
    return least_of([cpu_and_wall(command) for _ in range(times)])


def script(lines):
    with tempfile.NamedTemporaryFile("w", suffix=".d") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        return least([DTRACE, "-qs", file.name], 3)


def clauses(n):
    lines = [f"syscall::{'read' if i % 2 else 'write'}:entry /arg0 == {i}/ {{ @a{i % 8}[execname] = count(); }}" for i in range(n)]
    return script(lines + ["tick-1ms { exit(0); }"])


def faulting_clauses(n):
    lines = [f"syscall::read:entry /arg0 == {i}/ {{ x = *(int *)arg1; }}" for i in range(n)]
    return script(lines + ["ERROR { faults++; }", "tick-1ms { exit(0); }"])


def loops(n):
    lines = [f"\tfor (int i = 0; i < 100; i++) total += i * {k};" for k in range(n)]
    return script(["BEGIN {", *lines, "\texit(0);", "}"])


def user_probes(pid, n):
    return least([DTRACE, "-qp", str(pid), "-n", f"pid$target:a.out:many_{'?' * (len(str(n)) - 1):0>5}:entry {{ @[probefunc] = count(); }} tick-1ms {{ exit(0); }}"], 3)


def keys(n):
    """The workload's part: what it takes to put that many new keys into the table."""
    workload = Workload(f"{HAND}/workload", "keys")
    tracer = Tracer([DTRACE, "-x", "aggsize=256m", "-qn",
                     f'syscall::close:entry /pid == {workload.pid}/ {{ @[arg0] = count(); }} END {{ trunc(@, 1); }} tick-20ms /!armed/ {{ armed = 1; printf("armed\\n"); }}'])
    start = time_on_cpu(workload.pid)
    wall = workload.run(n) * n / 1e6
    spent = time_on_cpu(workload.pid) - start
    tracer.stop()
    workload.close()
    return spent, wall


def strings(size):
    text = "x" * (size - 1)
    return least([DTRACE, "-x", f"strsize={size}", "-x", "bufsize=4m", "-qn",
                  f'BEGIN {{ s = "{text}"; @ = sum(strlen(strjoin(s, s))); @b = sum(index(s, "y")); exit(0); }}'], 3)


table("Clauses, from exec to armed and away", "clauses", (1, 10, 100, 1000), clauses)
table("Clauses that may fault, with one for ERROR, from exec to armed and away", "clauses", (1, 10, 100, 1000), faulting_clauses)
table("Loops in one clause, from exec to the end", "loops", (1, 10, 100, 500), loops)
with tempfile.TemporaryDirectory() as directory:
    target = many_functions(directory, 10000)
    try:
        table("User probes, from exec to armed and away", "probes", (1, 10, 100, 1000, 10000), lambda n: user_probes(target.pid, n))
    finally:
        target.kill()
        target.wait()
table("A count by keys that are new each time, for all of them", "keys", (100, 1000, 10000, 100000, 1000000), keys)
table("strlen(), strjoin() and index() of a long string, with start and end", "bytes", (1024, 4096, 16384, 65000), strings)
if options.markdown:
    with open(options.markdown, "w") as file:
        file.write("\n".join(pages))
print(f"\n{worse} lines are worse than linear" if worse else "\nnothing is worse than linear")
sys.exit(1 if worse else 0)
