# SPDX-License-Identifier: Apache-2.0
"""How things are measured: everything takes turns, and only ratios count.

The machine is noisy: another guest, another frequency, another neighbour.  So
the tools run in turn, many short times, and what is reported is the median of
ratios of neighbours in time.  The workload stays on one CPU, the tracer on the
other, where there are two.  A tool says how many events it saw; one that lost
some is marked, because being fast at losing is no achievement.
"""
import os, re, signal, statistics, subprocess, threading, time

CPUS = sorted(os.sched_getaffinity(0))
WORK_CPU, TRACER_CPU = CPUS[-1], CPUS[0]


def pinned(command, cpu):
    return ["taskset", "-c", str(cpu), *command]


def once(command, **more):
    """Milliseconds from exec to exit."""
    start = time.perf_counter()
    status = subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    if status:
        raise SystemExit(f"{command}: status {status}")
    return (time.perf_counter() - start) * 1000


def cpu_and_wall(command):
    """The same with its CPU time, which other processes do not change."""
    start, child = time.perf_counter(), subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        raise SystemExit(f"{command}: status {status}")
    return (usage.ru_utime + usage.ru_stime) * 1000, (time.perf_counter() - start) * 1000


def time_on_cpu(pid):
    """Milliseconds that a process has run."""
    with open(f"/proc/{pid}/schedstat") as file:
        return int(file.read().split()[0]) / 1e6


def many_functions(directory, count):
    """A program with that many functions, many_00000 and so on, that waits."""
    with open(directory + "/many.c", "w") as source:
        source.write("#include <unistd.h>\n")
        source.writelines(f"int many_{i:05}(int a) {{ return a + {i}; }}\n" for i in range(count))
        source.write("int main(void) { for (;;) pause(); }\n")
    subprocess.check_call(["cc", "-O0", "-o", directory + "/many", directory + "/many.c"])
    return subprocess.Popen([directory + "/many"])


def ratio_of(pairs):
    return statistics.median(a / b for a, b in pairs if b > 0)


def interrupt(child, finish):
    """Ends a tracer with SIGINT; returns what finish() returns.  bpftrace may miss a signal, so it gets more."""
    is_done = threading.Event()

    def insist():
        while not is_done.wait(5):
            child.send_signal(signal.SIGINT)

    child.send_signal(signal.SIGINT)
    thread = threading.Thread(target=insist)
    thread.start()
    try:
        result = finish()
        child.wait()
        return result
    finally:
        is_done.set()
        thread.join()


class Workload:
    """bench/workload.c: makes calls of one kind on demand, and reports the cost of one."""

    def __init__(self, program, kind):
        self.child = subprocess.Popen(pinned([program, kind], WORK_CPU), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.pid, self.program = self.child.pid, program
        self.run(1000)

    def run(self, count):
        self.child.stdin.write(f"{count}\n")
        return float(self.child.stdout.readline())

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class Tracer:
    """A tracer that prints "armed", is interrupted, and then prints what it counted."""

    def __init__(self, command, output=None):
        self.file = output or subprocess.PIPE
        self.child = subprocess.Popen(pinned(command, TRACER_CPU), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.lines = []
        for line in self.child.stdout:
            self.lines.append(line)
            if line.startswith("armed"):
                return
        raise SystemExit(f"{command} was never armed:\n{''.join(self.lines)}")

    def stop(self):
        return interrupt(self.child, self.child.stdout.read)


def total_of(text):
    """Events in what a tracer printed: counts and histograms of any of the tools."""
    total = 0
    for line in text.splitlines():
        row = (re.fullmatch(r"total (\d+)", line) or re.fullmatch(r"\s*-?\d+ \|@*\s+(\d+)\s*", line) or
               re.fullmatch(r"@n?\[.*\]: (\d+)|@: (\d+)", line) or re.fullmatch(r"\[[^\]]+[\])]\s+(\d+) \|.*\|", line) or
               re.fullmatch(r"\s*.*\s(\d+)", line))
        if row and not line.startswith(("armed", "@armed", "@t[")):
            total += int(next(group for group in row.groups() if group))
    return total


def least_cost(workload, count):
    """The best of ten parts of the work: other processes can only make it slower."""
    return min(workload.run(count // 10) for _ in range(10))


def added_cost(workload, tools, count, rounds, seconds=30):
    """{tool: [added ns per call, ...]} and {tool: worst share of the calls that it saw}.

    A slow machine has fewer rounds, but three, so that all of it ends in time."""
    added, seen = {name: [] for name in tools}, {name: 1.0 for name in tools}
    start = time.perf_counter()
    for done in range(rounds):
        if done >= 3 and time.perf_counter() - start > seconds:
            break
        for name, command in tools.items():
            before = least_cost(workload, count)
            tracer = Tracer(command)
            spent = least_cost(workload, count)
            share = total_of(tracer.stop()) / count
            added[name].append(spent - min(before, least_cost(workload, count)))
            seen[name] = min(seen[name], share)
    return added, seen
