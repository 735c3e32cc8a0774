#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every speed claim, measured against peers in one run, as ratios with goals.

    bench.py DTRACE HAND-DIR [--only WORD] [--rounds N] [--markdown FILE]

HAND-DIR has the hand-written libbpf programs and the workload (bench/hand,
bench/workload.c).  Exits with 1 when a goal does not hold.  What is measured
goes to the file as well, for bench/page.py.
"""
import argparse, ctypes, os, platform, re, statistics, subprocess, sys, tempfile, time

from measure import *
from page import describe, markdown

# bpftrace looks for tracepoints only in debugfs: give it one that disappears with us.
if not os.path.exists("/sys/kernel/debug/tracing"):
    os.execvp("unshare", ["unshare", "-m", "sh", "-c", 'mount -t debugfs debugfs /sys/kernel/debug && exec "$@"', "sh", sys.executable, *sys.argv])

parser = argparse.ArgumentParser()
parser.add_argument("dtrace")
parser.add_argument("hand")
parser.add_argument("--only", default="")
parser.add_argument("--rounds", type=int, default=9)
parser.add_argument("--markdown")
options = parser.parse_args()
DTRACE, HAND = os.path.abspath(options.dtrace), os.path.abspath(options.hand)
ARMED = ' tick-20ms /!armed/ { armed = 1; printf("armed\\n"); }'
BPFTRACE_ARMED = ' interval:ms:20 /!@armed/ { printf("armed\\n"); @armed = 1; }'
rows = []


def dtrace(program, *more):
    return [DTRACE, *more, "-qn", program + ARMED]


def bpftrace(program, *more):
    return ["bpftrace", "-B", "line", *more, "-e", program + BPFTRACE_ARMED]


def hand(name, *more):
    return [f"{HAND}/hand", "trace", f"{HAND}/{name}.bpf.o", *more]


def row(name, figure, goal=None, holds=None, peers="", note=""):
    rows.append((name, figure, goal, holds, peers, note))
    print(f"{name:44} {figure:>12}  {goal or '':<14} {'' if holds is None else 'holds' if holds else 'MISSED':7} {peers} {note}", flush=True)


# ------------------------------------------------------------------ start-up

THIRTY_CLAUSES = "\n".join(f"""
syscall::{name}:entry
{{
\tself->start{i} = timestamp;
\t@calls{i % 4}[execname, probefunc] = count();
}}""" for i, name in enumerate("read write openat close mmap munmap brk futex ioctl fcntl poll lseek access getpid dup".split())) + "\n".join(f"""
syscall::{name}:return
/self->start{i}/
{{
\tthis->spent = timestamp - self->start{i};
\t@time[probefunc] = quantize(this->spent);
\tself->start{i} = 0;
}}""" for i, name in enumerate("read write openat close mmap munmap brk futex ioctl fcntl poll lseek access getpid dup".split()))


def against(name, ours, theirs, goal, rounds=21, peer=None, text=""):
    pairs = [(once(ours), once(theirs)) for _ in range(rounds)]
    ratio = ratio_of(pairs)
    if peer:
        text = f"bpftrace {statistics.median(once(peer) for _ in range(3)) / statistics.median(b for _, b in pairs):.0f} x"
    row(name, f"{ratio:.2f} x hand", f"<= {goal}", ratio <= goal, text, f"({statistics.median(a for a, _ in pairs):.1f} ms)")


def many_probes(count=5000, shown=100):
    """Probes armed and removed again: one link for all of them, or one event each."""
    with tempfile.TemporaryDirectory() as directory:
        target = many_functions(directory, count)
        program, pid = directory + "/many", str(target.pid)
        try:
            start = time.perf_counter()
            subprocess.run(["timeout", "60", "bpftrace", "-p", pid, "-e", f"uprobe:{program}:many_{'0' * (5 - len(str(shown - 1)))}* {{ @[probe] = count(); }} interval:ms:1 {{ exit(); }}"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            peer = time.perf_counter() - start
            against(f"{count:,} user probes armed and removed",
                    [DTRACE, "-qp", pid, "-n", "pid$target:a.out:many_*:entry { @[probefunc] = count(); } tick-1ms { exit(0); }"],
                    [f"{HAND}/many", f"{HAND}/many.bpf.o", pid, program, "many_"], 2, 7, text=f"bpftrace {peer:.1f} s for {shown}")
        finally:
            target.kill()
            target.wait()
    listed = subprocess.run([DTRACE, "-ln", "fbt:::entry"], capture_output=True, text=True, check=False).stdout.count("\n") - 1
    if listed < count:
        row(f"{count:,} kernel functions armed and removed", "", note="this kernel's functions cannot be traced")
        return
    spent = statistics.median(once([DTRACE, "-qn", "fbt::[s-t]*:entry { @[probefunc] = count(); } tick-1ms { exit(0); }"]) for _ in range(3))
    row("kernel functions s* and t* armed and removed", f"{spent:.0f} ms", note=f"(of {listed:,})")


def startup():
    against("BEGIN, trace, exit", [DTRACE, "-n", 'BEGIN { trace("hello"); exit(0); }'], [HAND + "/hand", "begin", HAND + "/begin.bpf.o"], 2,
            41, ["bpftrace", "-e", 'BEGIN { printf("hello\\n"); exit(); }'])
    against("syscall one-liner", [DTRACE, "-qn", "syscall::read:entry { @[execname] = count(); } tick-1ms { exit(0); }"],
            [HAND + "/hand", "arm", HAND + "/execname.bpf.o"], 2, 21,
            ["bpftrace", "-e", "tracepoint:syscalls:sys_enter_read { @[comm] = count(); } interval:ms:1 { exit(); }"])
    against("all syscalls armed and removed", [DTRACE, "-qn", "syscall:::entry,syscall:::return { @[probefunc] = count(); } tick-1ms { exit(0); }"],
            [HAND + "/hand", "arm", HAND + "/syscalls.bpf.o"], 2)
    with tempfile.NamedTemporaryFile("w", suffix=".d") as script:
        script.write(THIRTY_CLAUSES + "\ntick-1ms { exit(0); }\n")
        script.flush()
        spent = statistics.median(once([DTRACE, "-qs", script.name]) for _ in range(15))
    row(f"30 clauses, {THIRTY_CLAUSES.count(chr(10))} lines: to armed and away", f"{spent:.1f} ms", "<= 40 ms", spent <= 40)
    spent = statistics.median(once([DTRACE, "-l"]) for _ in range(11))
    row("dtrace -l", f"{spent:.1f} ms", "<= 80 ms", spent <= 80)


# ------------------------------------------------------ what is left behind

GET_FD_BY_ID = {"prog_id": 13, "map_id": 14, "link_id": 30}


def kernel_objects(pid):
    """{(kind, number)} of the BPF objects that a process holds."""
    found = set()
    for fd in os.listdir(f"/proc/{pid}/fdinfo"):
        try:
            with open(f"/proc/{pid}/fdinfo/{fd}") as file:
                text = file.read()
        except OSError:
            continue
        kind = next((kind for kind in ("link_id", "map_id", "prog_id") if re.search(rf"^{kind}:", text, re.M)), None)
        if kind:
            found.add((kind, int(re.search(rf"^{kind}:\s+(\d+)", text, re.M).group(1))))
    return found


def exists(kind, number):
    attr = (ctypes.c_uint32 * 4)(number)
    fd = ctypes.CDLL(None).syscall(321 if platform.machine() == "x86_64" else 280, GET_FD_BY_ID[kind], attr, 16)
    if fd >= 0:
        os.close(fd)
    return fd >= 0


def nothing_left():
    """When no probe is armed: nothing in the kernel, and no system call costs more than before."""
    workload = Workload(f"{HAND}/workload", "syscall")
    before, after, left = [], [], []

    def cost_now():
        time.sleep(0.3)	# the kernel has cleaning up to do
        return min(workload.run(50000) for _ in range(10))

    for _ in range(options.rounds):
        before.append(cost_now())
        tracer = Tracer(dtrace("syscall:::entry,syscall:::return { @[execname] = count(); } profile-97 { @s[stack()] = count(); }"))
        objects = kernel_objects(tracer.child.pid)
        tracer.stop()
        for _ in range(40):	# the kernel frees when it has time
            left = [it for it in objects if exists(*it)]
            if not left:
                break
            time.sleep(0.05)
        after.append(cost_now())
    workload.close()
    cost = ratio_of(zip(after, before)) - 1
    row("after tracing: a system call costs more by", f"{100 * cost:+.1f} %", "<= 2 %", cost <= 0.02, "", f"({min(before):.0f} ns)")
    row("after tracing: objects left in the kernel", f"{len(left)}", "0", not left, "", f"(of {len(objects)})")


def resident(command):
    """MB of the resident set after a second of tracing."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1.2)
    with open(f"/proc/{child.pid}/status") as status:
        size = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    interrupt(child, child.wait)
    return size / 1024


def memory():
    size = resident([DTRACE, "-qn", "syscall::read:entry { @[execname] = count(); }"])
    peer = resident(["bpftrace", "-e", "tracepoint:syscalls:sys_enter_read { @[comm] = count(); }"])
    row("resident memory, idle one-liner", f"{size:.1f} MB", "<= 10 MB", size <= 10, f"bpftrace {peer:.0f} MB")


# ------------------------------------------------------------ cost of a probe

def probe_cost(name, kind, tools, goal, count, per_event=1):
    """tools: ours, hand, and others to be shown.  The goal is for ours / hand."""
    workload = Workload(f"{HAND}/workload", kind)
    tools = {tool: make(workload) for tool, make in tools.items()}
    added, seen = added_cost(workload, tools, count, options.rounds)
    workload.close()
    pairs = list(zip(added["ours"], added["hand"]))
    ratio = ratio_of(pairs)
    others = " ".join(f"{tool} {ratio_of(zip(values, added['hand'])):.2f} x" for tool, values in added.items() if tool not in ("ours", "hand"))
    lossy = [f"{tool} saw only {100 * share:.1f} %" for tool, share in seen.items() if share < per_event]
    row(name, f"{ratio:.2f} x hand", f"<= {goal}", ratio <= goal and seen["ours"] >= per_event, others,
        f"(+{statistics.median(added['ours']):.0f} ns) " + ", ".join(lossy))


def syscalls():
    probe_cost("count by execname", "syscall", {
        "ours": lambda w: dtrace("syscall:::entry { @[execname] = count(); }"),
        "hand": lambda w: hand("execname"),
        "bpftrace": lambda w: bpftrace("tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }"),
    }, 0.9, 1000000)
    probe_cost("entry to return, quantize by probefunc", "syscall", {
        "ours": lambda w: dtrace("syscall:::entry { self->t = timestamp; } syscall:::return /self->t/ { @[probefunc] = quantize(timestamp - self->t); self->t = 0; }"),
        "hand": lambda w: hand("latency"),
        "bpftrace": lambda w: bpftrace("tracepoint:raw_syscalls:sys_enter { @t[tid] = nsecs; } tracepoint:raw_syscalls:sys_exit /@t[tid]/ { @n[args->id] = hist(nsecs - @t[tid]); delete(@t[tid]); } END { clear(@t); }"),
    }, 1.0, 1000000)


def strings():
    """A key that may be long costs only what its string needs."""
    workload = Workload(f"{HAND}/workload", "syscall")
    program = 'syscall::getppid:entry { @[strjoin("key", execname)] = count(); }'
    tools = {str(size): dtrace(program, "-x", f"strsize={size}") for size in (16, 64, 256)}
    added, _ = added_cost(workload, tools, 500000, options.rounds)
    workload.close()
    for size, goal in (("64", None), ("256", 1.3)):
        ratio = ratio_of(zip(added[size], added["16"]))
        row(f"string keys, strsize {size} against 16", f"{ratio:.2f} x", goal and f"<= {goal}", goal and ratio <= goal, "",
            f"(+{statistics.median(added[size]):.0f} ns)")


TURNS = 8
# name, what comes before the loop, what turn # does, what comes after it, events seen for each call
LOOPS = [
    ("arithmetic", "this->x = arg0;", "this->x = this->x * 31 + #;", "@[this->x] = count();", 1),
    ("arithmetic with arg0", "this->x = 0;", "this->x = this->x * 31 + (arg0 ^ #);", "@[this->x] = count();", 1),
    ("@[i] = count()", "", "@[#] = count();", "", TURNS),
    ("along the kernel's pointers", "this->p = curthread;", "this->p = this->p->real_parent;", "@[this->p->tgid] = count();", 1),
]


def loops():
    """A loop against the same statements written out; also when the number of turns is a variable."""
    workload = Workload(f"{HAND}/workload", "syscall")
    for name, before, turn, after, per_event in LOOPS:
        bodies = {"loop": f"for (int i = 0; i < {TURNS}; i++) {turn.replace('#', 'i')}", "variable": f"for (int i = 0; i < turns; i++) {turn.replace('#', 'i')}",
                  "written": " ".join(turn.replace("#", str(i)) for i in range(TURNS))}
        tools = {tool: dtrace(f"BEGIN {{ turns = {TURNS}; }} syscall::getppid:entry {{ {before} {body} {after} }}") for tool, body in bodies.items()}
        added, seen = added_cost(workload, tools, 300000, options.rounds)
        ratio, variable = (ratio_of(zip(added[tool], added["written"])) for tool in ("loop", "variable"))
        row(f"loop of {TURNS} turns, {name}", f"{ratio:.2f} x written", "<= 1.5", ratio <= 1.5 and min(seen.values()) >= per_event,
            f"turns in a variable {variable:.2f} x", f"(+{statistics.median(added['loop']):.0f} ns)")
    workload.close()


def return_offset(program):
    """Where bench_function returns, from its start."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "--disassemble=bench_function", program], capture_output=True, text=True).stdout
    start = int(re.search(r"^([0-9a-f]+) <bench_function>:", listing, re.M).group(1), 16)
    return str(int(re.search(r"^ *([0-9a-f]+):\s+ret", listing, re.M).group(1), 16) - start)


def user_probes():
    probe_cost("uprobe entry, count", "function", {
        "ours": lambda w: dtrace("pid$target:a.out:bench_function:entry { @ = count(); }", "-p", str(w.pid)),
        "hand": lambda w: hand("function", str(w.pid), w.program),
        "bpftrace": lambda w: bpftrace(f"uprobe:{w.program}:bench_function {{ @ = count(); }}", "-p", str(w.pid)),
    }, 1.03, 100000)
    between = "pid$target:a.out:bench_function:entry { self->t = timestamp; } pid$target:a.out:bench_function:return /self->t/ { @ = quantize(timestamp - self->t); self->t = 0; }"
    probe_cost("uprobe entry and return, quantize", "function", {
        "ours": lambda w: dtrace(between, "-p", str(w.pid)),
        "hand": lambda w: hand("duration_end", str(w.pid), w.program, return_offset(w.program)),
    }, 1.03, 10000)
    probe_cost("the same with -x uretprobe", "function", {
        "ours": lambda w: dtrace(between, "-p", str(w.pid), "-x", "uretprobe"),
        "hand": lambda w: hand("duration", str(w.pid), w.program),
        "bpftrace": lambda w: bpftrace(f"uprobe:{w.program}:bench_function {{ @t[tid] = nsecs; }} uretprobe:{w.program}:bench_function /@t[tid]/ {{ @ = hist(nsecs - @t[tid]); delete(@t[tid]); }} END {{ clear(@t); }}",
                                       "-p", str(w.pid)),
    }, 0.95, 50000)
    probe_cost("USDT, count by string argument", "usdt", {
        "ours": lambda w: dtrace("bench$target:::call { @[copyinstr(arg1)] = count(); }", "-p", str(w.pid), "-x", "strsize=63"),
        "hand": lambda w: hand("usdt", str(w.pid), w.program),
        "bpftrace": lambda w: bpftrace(f"usdt:{w.program}:bench:call {{ @[str(arg1)] = count(); }}", "-p", str(w.pid)),
    }, 1.05, 100000)


# ------------------------------------------------------------------- records

def static_probes():
    """Probes made with dtrace -h, and by libusdt: their cost unused, and traced."""
    workloads = {kind: Workload(f"{HAND}/sites", kind) for kind in ("none", "probe", "enabled", "made", "asked")}
    best = {kind: 1e9 for kind in workloads}
    for _ in range(5 * options.rounds):
        for kind, workload in workloads.items():
            best[kind] = min(best[kind], workload.run(300000))
    added, seen = added_cost(workloads["probe"], {"ours": dtrace("sites$target:::call { @ = count(); }", "-p", str(workloads["probe"].pid))}, 100000, options.rounds)
    made, made_seen = added_cost(workloads["made"], {"ours": dtrace("made$target:::call { @ = count(); }", "-p", str(workloads["made"].pid))}, 100000, options.rounds)
    for workload in workloads.values():
        workload.close()
    for kind in ("probe", "enabled"):
        off = best[kind] - best["none"]
        row(f"static probe, untraced{', asking first' if kind == 'enabled' else ''}", f"{off:+.2f} ns", "<= 1 ns", off <= 1, "", f"(call without: {best['none']:.2f} ns)")
    row("static probe, traced, count", f"+{statistics.median(added['ours']):.0f} ns", "all seen", seen["ours"] >= 1)
    for kind, goal in (("asked", 2), ("made", 6)):
        ratio = best[kind] / best["none"]
        row(f"probe of libusdt, untraced{', asking first' if kind == 'asked' else ''}", f"{ratio:.2f} x none", f"<= {goal}", ratio <= goal, "",
            f"(a call without: {best['none']:.2f} ns, with: {best[kind]:.2f} ns)")
    ratio = statistics.median(made["ours"]) / statistics.median(added["ours"])
    row("probe of libusdt, traced, count", f"{ratio:.2f} x static", "<= 1.2", ratio <= 1.2 and made_seen["ours"] >= 1)


def armed(command, path):
    """A tracer that writes to a file and has said that it is armed; what it says of drops goes elsewhere."""
    with open(path, "w") as output, open(path + ".said", "w") as said:
        child = subprocess.Popen(pinned(command, TRACER_CPU), stdout=output, stderr=said)
    while not has_line(path, "armed"):
        if child.poll() is not None:
            raise SystemExit(f"{command} was never armed")
        time.sleep(0.02)
    return child


def delivered(command, workload, count):
    """Events per second from the first call until all is written, and how many were written."""
    with tempfile.TemporaryDirectory() as directory:
        path = directory + "/output"
        child = armed(command, path)
        start = time.perf_counter()
        workload.run(count)
        last_growth = settled(path)
        interrupt(child, child.wait)
        with open(path) as output:
            lines = sum(1 for line in output if line.startswith("event"))
    return lines / (last_growth - start), lines


def has_line(path, word):
    with open(path) as output:
        return word in output.read(4096)


def settled(path):
    """Waits until the file has stopped growing; returns when that was."""
    size, since = -1, time.perf_counter()
    while time.perf_counter() - since < 1.2:
        now = os.path.getsize(path)
        if now != size:
            size, since = now, time.perf_counter()
        time.sleep(0.005)
    return since


def records():
    workload = Workload(f"{HAND}/workload", "syscall")
    count, ratios, rates, lost, lost_peer = 200000, [], [], 0, 0
    for _ in range(max(3, options.rounds // 2)):
        ours, n = delivered(dtrace(f'syscall::getppid:entry /pid == {workload.pid}/ {{ printf("event %d %d %s %d %d\\n", pid, tid, execname, timestamp, arg0); }}',
                                   "-x", "bufsize=16m", "-x", "switchrate=50hz"), workload, count)
        peer, m = delivered(bpftrace(f'tracepoint:syscalls:sys_enter_getppid /pid == {workload.pid}/ {{ printf("event %d %d %s %lld %d\\n", pid, tid, comm, nsecs, args->__syscall_nr); }}'), workload, count)
        ratios.append(ours / peer)
        rates.append(ours)
        lost, lost_peer = max(lost, count - n), max(lost_peer, count - m)
    workload.close()
    ratio = statistics.median(ratios)
    row("printf of five fields, events/s", f"{ratio:.1f} x bpftrace", ">= 3", ratio >= 3 and not lost, "",
        f"({statistics.median(rates):,.0f} a second; lost: ours {lost}, bpftrace {lost_peer} of {count})")


def paced(command, workload, thousands):
    """Microseconds of the tracer's CPU for a record, at 100,000 a second."""
    with tempfile.TemporaryDirectory() as directory:
        child = armed(command, directory + "/output")
        workload.run(1000)
        time.sleep(0.3)
        before = time_on_cpu(child.pid)
        for _ in range(thousands):
            start = time.perf_counter()
            workload.run(1000)
            time.sleep(max(0, 0.01 - (time.perf_counter() - start)))
        time.sleep(0.3)
        spent = time_on_cpu(child.pid) - before
        interrupt(child, child.wait)
    return spent / thousands


def consumer():
    """A consumer against one written by hand: default buffers, flat out and paced."""
    workload = Workload(f"{HAND}/workload", "syscall")
    tools = {"ours": dtrace(f'syscall::getppid:entry /pid == {workload.pid}/ {{ printf("event %d %d %s %d %d\\n", pid, tid, execname, timestamp, arg0); }}'),
             "hand": [f"{HAND}/hand", "print", f"{HAND}/records.bpf.o", str(workload.pid)]}
    count, rates, costs, lost = 1000000, {name: [] for name in tools}, {name: [] for name in tools}, dict.fromkeys(tools, 0)
    for _ in range(max(3, options.rounds // 2)):
        for name, tool in tools.items():
            rate, n = delivered(tool, workload, count)
            rates[name].append(rate)
            lost[name] = max(lost[name], count - n)
            costs[name].append(paced(tool, workload, 100))
    workload.close()
    speed = ratio_of(zip(rates["ours"], rates["hand"]))
    row("printf of five fields flat out, records/s", f"{speed:.2f} x hand", ">= 1", speed >= 1, "",
        f"({statistics.median(rates['ours']):,.0f} a second; lost: ours {lost['ours']}, hand {lost['hand']} of {count:,})")
    cost = ratio_of(zip(costs["ours"], costs["hand"]))
    row("the same at 100,000 a second, CPU", f"{cost:.2f} x hand", "<= 1", cost <= 1, "",
        f"({statistics.median(costs['ours']):.2f} us a record, hand {statistics.median(costs['hand']):.2f})")


def keys():
    workload = Workload(f"{HAND}/workload", "keys")
    base = workload.run(100000)
    tracer = Tracer(dtrace("syscall::close:entry /arg0 > 0x7fffffff/ { @[arg0] = sum(1); } END { printa(\"n %@d\\n\", @); }", "-x", "aggsize=64m"))
    spent = workload.run(100000)
    seen = total_of(tracer.stop())
    workload.close()
    row("100,000 distinct keys", f"+{spent - base:.0f} ns", "none lost", seen == 100000, "", f"({seen} seen)")


# ------------------------------------------------------------------ dd, clocks

def dd_command(count):
    return pinned(["dd", "if=/dev/zero", "of=/dev/null", "bs=512", f"count={count}", "status=none"], WORK_CPU)


def with_perf(count):
    """Milliseconds of dd under perf trace, and a remark about it."""
    with tempfile.NamedTemporaryFile("r") as summary:
        try:
            spent = once(["perf", "trace", "-s", "-o", summary.name, *dd_command(count)])
        except (OSError, SystemExit) as problem:
            return None, f"(perf trace: {str(problem)[-60:]})"
        seen = sum(int(line.split()[1]) for line in summary if re.match(r"\s+(read|write)\s+\d", line))
    return spent, "" if seen >= 2 * count else f"perf trace saw only {50 * seen / count:.0f} %"


def dd():
    count, few = 1 << 20, 1 << 16
    command = dd_command(count)
    ratios, peers, is_lossy = [], [], False
    for i in range(max(3, options.rounds // 2)):
        plain = once(command)
        tracer = Tracer(dtrace("syscall:::entry { @[probefunc] = count(); }"))
        ratios.append(once(command) / plain)
        is_lossy |= total_of(tracer.stop()) < 2 * count
        if i < 2:
            tracer = Tracer(bpftrace("tracepoint:raw_syscalls:sys_enter { @[args->id] = count(); }"))
            peers.append(once(command) / plain)
            tracer.stop()
    plain = once(dd_command(few))
    strace = once(["strace", "-c", "-o", "/dev/null", *dd_command(few)]) / plain
    perf, note = with_perf(few)
    others = f"bpftrace {statistics.median(peers):.2f} x, strace -c {strace:.0f} x" + (f", perf trace -s {perf / plain:.0f} x" if perf else "")
    ratio = statistics.median(ratios)
    row("dd bs=512 with a syscall summary", f"{ratio:.2f} x untraced", "<= 1.8", ratio <= 1.8 and not is_lossy, others,
        "events were lost" if is_lossy else note)


def program_time(pid):
    """ns that the process's BPF programs ran, as counted by the kernel."""
    total = 0
    for fd in os.listdir(f"/proc/{pid}/fdinfo"):
        try:
            with open(f"/proc/{pid}/fdinfo/{fd}") as file:
                found = re.search(r"run_time_ns:\s+(\d+)", file.read())
        except OSError:
            continue
        total += int(found.group(1)) if found else 0
    return total


def clocks():
    """Samples with both stacks: the share of a CPU that the programs take."""
    burners = [subprocess.Popen(pinned([f"{HAND}/deep"], cpu), stdout=subprocess.DEVNULL) for cpu in CPUS]
    with open("/proc/sys/kernel/bpf_stats_enabled", "w") as switch:
        switch.write("1")
    try:
        child = subprocess.Popen([DTRACE, "-qn", "profile-997 /execname == \"deep\"/ { @[stack(), ustack()] = count(); }"], stdout=subprocess.PIPE, text=True)
        time.sleep(2)
        before, start = program_time(child.pid), time.perf_counter()
        time.sleep(3)
        share = (program_time(child.pid) - before) / 1e9 / (time.perf_counter() - start) / len(CPUS) * 100
        text = interrupt(child, child.stdout.read)
    finally:
        with open("/proc/sys/kernel/bpf_stats_enabled", "w") as switch:
            switch.write("0")
        for burner in burners:
            burner.kill()
            burner.wait()
    complete = total = 0
    frames = []
    for line in filter(str.strip, text.splitlines()):
        if not line.strip().isdigit():
            frames.append(line.strip())
            continue
        total += int(line)
        is_whole = any("`main+" in frame for frame in frames) and not any(re.match(r"0x|.*`0x", frame) for frame in frames)
        complete += int(line) if is_whole else 0
        frames = []
    named = 100 * complete / total if total else 0
    row("profile-997, both stacks: share of each CPU", f"{share:.2f} %", "<= 1 %", share <= 1)
    row("  of these stacks, complete and named", f"{named:.1f} %", ">= 99 %", named >= 99, "", f"({total} samples)")


CASES = [startup, many_probes, nothing_left, memory, syscalls, strings, loops, user_probes, static_probes, records, consumer, keys, dd, clocks]
started = time.perf_counter()
print(f"{'case':44} {'measured':>12}  {'goal':14}")
for case in CASES:
    if options.only in case.__name__:
        case()
missed = [name for name, _, _, holds, _, _ in rows if holds is False]
print(f"{len(rows)} cases, {len(missed)} goals missed" + (": " + "; ".join(missed) if missed else ""))
if options.markdown:
    with open(options.markdown, "w") as file:
        file.write(describe(options.rounds, time.perf_counter() - started) + markdown(rows))
sys.exit(1 if missed else 0)
