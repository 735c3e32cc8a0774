#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Long runs: nothing grows without end, and nothing is left behind.

    soak.py [--seconds N] [--rounds N] [--dtrace PATH] [--triggers PATH] [--verbose]

Several tracers run all the time, one for each thing that may pile up: stacks of
processes that are gone, keys of aggregations, elements of arrays, programs with
static probes that come and go, libraries that are loaded and unloaded,
speculations, output.  Meanwhile a round of the same work is done again and again:
processes start and end, other tracers attach and detach, and some are killed.

After each round the tracers' memory, descriptors, threads, children and BPF
objects (with the kernel's memory for them) are counted.  The first third of the
rounds is to warm up; what the second and the last third hold must be the same, but
for what MAY_GROW.  So what is compared depends on work, not on time.  What comes and
goes (GIVEN_BACK) is judged by the least of a third, the rest by its median.

Some things are made once, when they are needed for the first time, and on a busy
machine that can be late.  So what has grown is watched for as many rounds again, up to
WATCHED times: what is lost in each round grows every time.

One tracer (KEEPS) never gives up its keys, so its memory may grow; all of its
stacks must have names at the end, although the processes are gone.

At the end all tracers are interrupted, and what the kernel has must be what it
had before: programs, maps and links without an owner, events of tracefs, our
processes.  The closing line is `N passed, N failed`.
"""
import argparse, ctypes, glob, os, re, shutil, signal, statistics, struct, subprocess, sys, tempfile, time

import surroundings

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
# KB of growth between thirds: what malloc(3) keeps, hash tables that double
MAY_GROW = {"memory": 512, "kernel": 128}
# In a short run the tracers still get to know the processes that they remember.
SHORT, MAY_GROW_SHORT = 40, {"memory": 2048, "kernel": 128}
# Commands of system() run or have ended; aggregations have more room while many keys wait to be read.
GIVEN_BACK = ("children", "kernel")
WATCHED = 3
SPAWNED = 12            # processes of each kind in a round
RELOADS = 10
PATIENCE = 120          # seconds for what must come

LOSSES = re.compile(r"^$|\d+ (\w+ )*drops? |\d+ failed speculation")

KEEPS = "names"
ARMED = ' tick-10ms /!armed/ { armed = 1; printf("armed\\n"); }'

# Programs of the rounds have names of their own: other activity on this machine does not count.
COPIES = {"handler": "soak-stack", "sites": "soak-static"}
OURS = 'strstr(execname, "soak-") == execname'

# name: (options, D with {ours} as predicate, command)
TRACERS = {
    "stacks": ([], """
        profile-499 /{ours}/ { @samples[ustack()] = count(); }
        syscall:::entry /{ours}/ { @calls[execname, ustack(), usym(ucaller)] = count(); ustack(3); usym(ucaller); }
        proc:::exit /{ours}/ { @ends[execname, ustack()] = count(); }
        tick-100ms { printa(@samples); trunc(@samples); printa(@calls); trunc(@calls); trunc(@ends); }""", None),
    "names": ([], """
        syscall::getppid:entry /{ours}/ { @[ustack(4)] = count(); }""", None),
    "keys": ([], """
        syscall:::entry /{ours}/ { @times[timestamp] = count(); @sizes[pid, probefunc] = quantize(arg0); @l[pid] = llquantize(arg1, 10, 0, 6, 10); }
        tick-50ms { trunc(@times, 3); clear(@sizes); normalize(@l, 3); trunc(@l); }
        tick-200ms { printa(@sizes); trunc(@sizes); trunc(@times); }""", None),
    "variables": ([], """
        syscall:::entry /{ours}/ { self->t = timestamp; self->deep[probefunc] = 1; calls[pid, tid] = timestamp; names[tid] = execname; }
        syscall:::return /self->t/ { @[probefunc] = avg(timestamp - self->t); self->t = 0; self->deep[probefunc] = 0; }
        proc:::exit /{ours}/ { calls[pid, tid] = 0; names[tid] = 0; }
        tick-100ms { printa(@); clear(@); }""", None),
    "static": (["-Z"], """
        sites*:soak-static::wide { @[pid, execname] = count(); printf("%d", arg1); }
        tick-100ms { trunc(@); }""", None),
    "libraries": (["-Z"], """
        pid$target:plugin.so::entry, pid$target:plugin.so::return { @[probefunc, ustack()] = count(); }
        pid$target:libc*:getppid:entry { printf("%s", probefunc); ustack(); }
        tick-100ms { printa(@); trunc(@); }""", "{triggers}/reload {triggers}/plugin.so"),
    "speculations": (["-x", "nspec=64"], """
        syscall::getppid:entry, syscall::read:entry /{ours}/ { self->s = speculation(); }
        syscall:::entry /self->s/ { speculate(self->s); printf("%s %d", probefunc, arg0); ustack(); }
        syscall::read:return /self->s/ { commit(self->s); self->s = 0; }
        syscall::getppid:return /self->s/ { discard(self->s); self->s = 0; }""", None),
    "output": (["-w"], """
        syscall:::entry /{ours}/ { printf("%Y %s[%d] %s\\n", walltimestamp, execname, pid, probefunc); stack(); tracemem(curthread, 64); }
        tick-100ms { system("true"); freopen("/dev/null"); printf("on\\n"); freopen(""); }""", None),
}


# ---------------------------------------------------------------- what there is

def status_of(pid):
    with open(f"/proc/{pid}/status") as file:
        return dict(line.split(":", 1) for line in file)


def bpf_objects(pid):
    """{(kind, id): bytes of the kernel's memory} of what a process holds."""
    found = {}
    for info in glob.glob(f"/proc/{pid}/fdinfo/*"):
        try:
            with open(info) as file:
                fields = dict(line.split(":", 1) for line in file if ":" in line)
        except OSError:
            continue
        for kind in ("link", "prog", "map"):
            if f"{kind}_id" in fields:
                found[kind, int(fields[f"{kind}_id"])] = int(fields.get("memlock", 0)) if kind != "link" else 0
    return found


def measure(pid):
    status = status_of(pid)
    objects = bpf_objects(pid)
    children = "".join(open(path).read() for path in glob.glob(f"/proc/{pid}/task/*/children"))
    kinds = [kind for kind, _ in objects]
    return {
        "memory": int(status["RssAnon"].split()[0]), "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
        "threads": int(status["Threads"]), "children": len(children.split()), "maps": kinds.count("map"),
        "programs": kinds.count("prog"), "links": kinds.count("link"), "kernel": sum(objects.values()) // 1024,
    }


BPF, NEXT_IDS = 321, {"prog": 11, "map": 12, "link": 31}        # bpf(2) on x86-64


def all_ids():
    """(kind, id) of all BPF objects that the kernel has."""
    found = set()
    for kind, command in NEXT_IDS.items():
        at = 0
        while True:
            attributes = ctypes.create_string_buffer(struct.pack("III", at, 0, 0) + bytes(116))
            if surroundings.libc.syscall(BPF, command, attributes, 128):
                break
            at = struct.unpack_from("I", attributes, 4)[0]
            found.add((kind, at))
    return found


def held_ids():
    return {held for pid in os.listdir("/proc") if pid.isdigit() for held in bpf_objects(pid)}


def tracefs_events():
    found = set()
    for name in ("uprobe_events", "kprobe_events"):
        for root in ("/sys/kernel/tracing", "/sys/kernel/debug/tracing"):
            try:
                with open(f"{root}/{name}") as file:
                    found.update(file.read().splitlines())
                break
            except OSError:
                continue
    return found


# ------------------------------------------------------------------- the tracers

class Tracer:
    def __init__(self, name, options, scratch):
        flags, program, command = TRACERS[name]
        self.name, self.samples = name, []
        self.out = open(f"{scratch}/{name}.out", "w+")
        self.errors = open(f"{scratch}/{name}.err", "w+")
        words = [options.dtrace, "-q", *flags, "-n", program.replace("{ours}", OURS) + ARMED]
        if command:
            words += ["-c", command.format(triggers=options.triggers)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=self.out, stderr=self.errors, start_new_session=True,
                                        env=dict(os.environ, _DTRACE_TESTING="1"))

    def await_armed(self):
        deadline = time.monotonic() + PATIENCE
        while "armed" not in open(self.out.name, errors="replace").read():
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"{self.name} does not start: {open(self.errors.name).read()}")
            time.sleep(0.02)
        self.forget_output()

    def forget_output(self):
        """What it printed so far is only to be printed; the file would grow."""
        os.truncate(self.out.name, 0)

    def sample(self):
        self.samples.append(measure(self.process.pid))
        self.forget_output()

    def end(self):
        """Its complaints."""
        self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            return [f"{self.name}: it does not end"]
        said = [line for line in open(self.errors.name, errors="replace").read().splitlines() if not LOSSES.search(line)]
        if self.name == KEEPS:
            said += self.nameless()
        return [f"{self.name}: {line}" for line in said] + [f"{self.name}: status {status}"] * (status != 0)

    def nameless(self):
        with open(self.out.name, errors="replace") as out:
            frames = re.findall(r"^ +(\S+)\n", out.read(), re.M)
        inner = [frame for frame in frames if frame.startswith("soak-stack`inner")]
        return [f"no name: {frame}" for frame in frames if "0x" in frame.split("+")[0]][:5] + ["no stacks"] * (not inner)


def run_quickly(*command):
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def do_round(options, scratch, tracers, number):
    """The same work each time."""
    triggers = options.triggers
    for _ in range(SPAWNED):
        run_quickly(f"{scratch}/soak-stack", "plain")
        run_quickly(f"{scratch}/soak-stack", "forked")
        run_quickly(f"{scratch}/soak-static", "now", "3")
    for _ in range(RELOADS):
        tracers["libraries"].process.stdin.write(b"\n")
        tracers["libraries"].process.stdin.flush()
    # one that ends by itself, with its command, and one that is killed
    run_quickly(options.dtrace, "-qn", "pid$target:a.out::entry { @[ustack()] = count(); } syscall:::entry { @s = count(); }",
                "-c", f"{triggers}/handler plain")
    with tempfile.TemporaryFile() as out:
        victim = subprocess.Popen([options.dtrace, "-Zqn", "sites*:soak-static::, pid$target:::entry, profile-97, syscall:::entry { @[ustack()] = count(); }"
                                   + ARMED, "-c", f"{scratch}/soak-static traced"], stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        deadline = time.monotonic() + (PATIENCE if number % 2 else 0)      # every other one while it is starting
        while victim.poll() is None and time.monotonic() < deadline and not os.fstat(out.fileno()).st_size:
            time.sleep(0.01)
        victim.kill()
        victim.wait()
        try:
            os.killpg(victim.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Ended(Exception):
    pass


def do_rounds(options, scratch, tracers, first, count):
    """Work, and what the tracers hold after each round of it."""
    for number in range(first, first + count):
        do_round(options, scratch, tracers, number)
        for tracer in tracers.values():
            if tracer.process.poll() is not None:
                raise Ended(f"{tracer.name}: it has ended: {open(tracer.errors.name).read()}")
            tracer.sample()


# -------------------------------------------------------------------- judgement

def grown(tracer, before, after):
    """{what: how much} of a tracer is more in the rounds `after` than in those `before`."""
    may_grow = MAY_GROW if len(after) > SHORT else MAY_GROW_SHORT
    found = {}
    for what in tracer.samples[0]:
        usual = min if what in GIVEN_BACK else statistics.median
        old, new = (usual(sample[what] for sample in window) for window in (before, after))
        if new - old > may_grow.get(what, 0) and not (what == "memory" and tracer.name == KEEPS):
            found[what] = f"{tracer.name}: {what} grew from {old:.0f} to {new:.0f} in {len(after)} rounds"
    return found


def show(tracer, verbose):
    """What it held in the last third."""
    last = tracer.samples[2 * (len(tracer.samples) // 3):]
    print(f"{tracer.name}: " + ", ".join(f"{what} {statistics.median(sample[what] for sample in last):.0f}"
                                         for what in tracer.samples[0]), flush=True)
    if verbose:
        for what in ("memory", "kernel"):
            print(f"  {what}:", *(sample[what] for sample in tracer.samples))


def growing(tracers, work):
    """What has grown since the second third, and grows whenever as much work is done again."""
    n = len(next(iter(tracers)).samples) // 3
    suspects = {tracer: grown(tracer, tracer.samples[n:2 * n], tracer.samples[2 * n:]) for tracer in tracers}
    for _ in range(WATCHED):
        if not any(suspects.values()):
            return []
        for words in suspects.values():
            for text in words.values():
                print(f"watched: {text}", flush=True)
        work(n)
        for tracer, seen in suspects.items():
            again = grown(tracer, tracer.samples[-2 * n:-n], tracer.samples[-n:])
            suspects[tracer] = {what: text for what, text in again.items() if what in seen}
    return [text for words in suspects.values() for text in words.values()]


def left_behind(ids, events, pids):
    """What is there and was not, after a while: the kernel frees some things late."""
    deadline = time.monotonic() + 30
    suspects = None
    while True:
        found = all_ids() - ids - held_ids()
        suspects = found if suspects is None else suspects & found
        new_events = tracefs_events() - events
        alive = [pid for pid in pids if os.path.exists(f"/proc/{pid}")]
        if not suspects and not new_events and not alive:
            return []
        if time.monotonic() > deadline:
            return ([f"left behind: {kind} {number}" for kind, number in sorted(suspects)] +
                    [f"left behind: {event}" for event in sorted(new_events)] + [f"left behind: process {pid}" for pid in alive])
        time.sleep(0.5)


def soak(options, scratch):
    for trigger, name in COPIES.items():
        shutil.copy(f"{options.triggers}/{trigger}", f"{scratch}/{name}")
    ids, events = all_ids(), tracefs_events()
    tracers = {name: Tracer(name, options, scratch) for name in TRACERS if not options.tracers or name in options.tracers.split(",")}
    problems, rounds = [], 0
    try:
        for tracer in tracers.values():
            tracer.await_armed()
        start = time.monotonic()
        while rounds < options.rounds or time.monotonic() - start < options.seconds:
            do_rounds(options, scratch, tracers, rounds, 1)
            rounds += 1
        print(f"{rounds} rounds in {time.monotonic() - start:.0f} s", flush=True)
        for tracer in tracers.values():
            show(tracer, options.verbose)
        problems += growing(list(tracers.values()), lambda n: do_rounds(options, scratch, tracers, rounds, n))
    except Ended as ended:
        return [str(ended)]
    finally:
        pids = [tracer.process.pid for tracer in tracers.values()]
        for tracer in tracers.values():
            problems += tracer.end()
    return problems + left_behind(ids, events, pids)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtrace", default=os.path.join(TOP, "build/dtrace"))
    parser.add_argument("--triggers", default=os.path.join(TOP, "build/triggers"))
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=12, help="at least")
    parser.add_argument("--tracers", default="", help="only these")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    surroundings.settle()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))       # not without ending the tracers
    options.dtrace = os.path.abspath(options.dtrace)
    options.triggers = os.path.abspath(options.triggers)
    with tempfile.TemporaryDirectory() as scratch:
        problems = soak(options, scratch)
    for problem in problems:
        print(f"FAIL {problem}", flush=True)
    print(f"soak: {int(not problems)} passed, {int(bool(problems))} failed, 0 skipped", flush=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
