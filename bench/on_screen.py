#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long it takes until a tool shows something, and until a shell has its completions.

    on_screen.py DTRACE [--rounds N] [--only WORD] [--all] [--fair] [--markdown FILE]

Every script of toolkit/ is started; the time is that from exec to its first line, the best
of the rounds, because others may use the machine.  For the same reason tools run as real-time
processes, which need not wait for a CPU (--fair: like all others).  Beside it is the CPU time
that the tool had used by then.  Tools that print nothing before something happens, and those
that look at a server that does not run here, are counted apart.  Exits with 1 when a goal is
missed.
"""
import argparse, collections, os, select, signal, statistics, subprocess, sys, time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL_GOAL, COMPLETION_GOAL = 50, 20     # milliseconds
PATIENCE = 5                            # seconds for a line

# What a tool needs beside its name.
ARGUMENTS = {
    "dapptrace": ["-p", "{process}"], "dappprof": ["-p", "{process}"], "dtruss": ["-p", "{process}"],
    "diskhits": ["/etc/passwd"], "getaddrinfo.d": ["-p", "{process}"], "hotuser": ["-p", "{process}"],
    "lastwords": ["nobody"], "lib_call_stack": ["-p", "{process}", "libc.so", "getpid"], "libc_trace": ["-p", "{process}"],
    "libmysql_snoop.d": ["-p", "{client}"], "pfilestat": ["{process}"], "dexplorer": ["-T", "-i", "1", "-d", "/tmp", "uname-a.d"],
    "mysqld_qslower.d": ["0"], "mysqld_pid_slow.d": ["-p", "{server}", "0"], "mysqld_pid_latency.d": ["-p", "{server}"],
    "mysqld_pid_fslatency.d": ["-p", "{server}"], "mysqld_pid_fslatency_slowlog.d": ["{server}"],
}

COMPLETIONS = [
    "io:::start { args[0]->b_", "sched:::", "syscall::op", "sys", "fbt:::", "fbt::vfs_", "pidPROCESS:libc:", "proc:::exec",
    "BEGIN { curthread->", "syscall:::entry { @[exec", "BEGIN { str", "profile:::",
]


def process_named(name):
    found = subprocess.run(["pidof", "-s", name], capture_output=True, text=True, check=False).stdout.strip()
    return found or None


def command_of(dtrace, tool):
    path = os.path.join(TOP, "toolkit", tool)
    with open(path) as script:
        return [dtrace, "-s", path] if "dtrace" in script.readline() else [path]


def first_line(command, environment):
    """(milliseconds, of them on a CPU) until something is on stdout; None: nothing came."""
    out, into = os.pipe()
    nothing = os.open("/dev/null", os.O_RDWR)
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, environment, setpgroup=0, file_actions=[
        (os.POSIX_SPAWN_DUP2, nothing, 0), (os.POSIX_SPAWN_DUP2, into, 1), (os.POSIX_SPAWN_DUP2, nothing, 2),
        (os.POSIX_SPAWN_CLOSE, out)])
    os.close(into)
    os.close(nothing)
    came = select.select([out], [], [], PATIENCE)[0]
    taken = (time.perf_counter() - start) * 1000
    with open(f"/proc/{pid}/schedstat") as file:
        cpu = int(file.read().split()[0]) / 1e6
    is_there = came and os.read(out, 4096)
    os.killpg(pid, signal.SIGINT)
    while select.select([out], [], [], 10)[0] and os.read(out, 65536):
        pass
    os.close(out)
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    os.waitpid(pid, 0)
    return (taken, cpu) if is_there else None


def measure_tools(options, names):
    environment = dict(os.environ, DTRACE=options.dtrace)
    times, silent = {}, collections.defaultdict(list)
    for tool in sorted(os.listdir(os.path.join(TOP, "toolkit"))):
        if options.only not in tool:
            continue
        try:
            arguments = [each.format(**names) for each in ARGUMENTS.get(tool, [])]
        except KeyError as missing:
            silent[f"no {missing.args[0]} here"].append(tool)
            continue
        runs = []
        for _ in range(options.rounds):
            runs.append(first_line(command_of(options.dtrace, tool) + arguments, environment))
            if not runs[-1]:
                break
        if all(runs):
            times[tool] = tuple(map(min, zip(*runs)))
        else:
            silent["nothing to say yet"].append(tool)
    return times, silent


def completion(options, text):
    """(milliseconds, of them on a CPU) for the words after dtrace -n 'TEXT."""
    start = time.perf_counter()
    child = subprocess.Popen([options.dtrace, "--complete", "-n", text], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, child.returncode, usage = os.wait4(child.pid, 0)
    return (time.perf_counter() - start) * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dtrace")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true", help="show all, not just the slowest")
    parser.add_argument("--fair", action="store_true", help="run like other processes, not before them")
    parser.add_argument("--markdown")
    options = parser.parse_args()
    if not options.fair:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))      # and all that it starts
    options.dtrace = os.path.abspath(options.dtrace)
    waiting = subprocess.Popen(["sleep", "3600"])
    names = {"process": str(waiting.pid), "server": process_named("mariadbd"), "client": process_named("mariadb")}
    try:
        times, silent = measure_tools(options, {name: pid for name, pid in names.items() if pid})
        words = {}
        for text in COMPLETIONS if not options.only else []:
            runs = [completion(options, text.replace("PROCESS", str(waiting.pid))) for _ in range(2 * options.rounds)]
            words[text] = tuple(map(min, zip(*runs)))
    finally:
        waiting.kill()
        waiting.wait()
    busy = os.getloadavg()[1] / len(os.sched_getaffinity(0))
    slow = []
    lines = [f"{len(os.sched_getaffinity(0))} CPUs ({os.uname().machine}), Linux {'.'.join(os.uname().release.split('.')[:2])}, load {busy:.1f} "
             f"for each CPU, {'like' if options.fair else 'before'} other processes; the best of {options.rounds} rounds.", ""]
    if times:
        slow = [tool for tool, (taken, _) in times.items() if taken > TOOL_GOAL]
        lines += [f"{len(times)} tools: the median is {statistics.median(taken for taken, _ in times.values()):.0f} ms; "
                  f"{len(slow) or 'none'} of them longer than {TOOL_GOAL} ms.", "", "| the slowest tools | first line | CPU until then |", "|---|---:|---:|"]
        order = sorted(times, key=lambda tool: -times[tool][0])
        lines += [f"| {tool} | {times[tool][0]:.0f} ms | {times[tool][1]:.0f} ms |" for tool in (order if options.all else order[:8])]
    if words:
        lines += ["", "| completion of | all of it | CPU |", "|---|---:|---:|"]
        lines += [f"| `{text}` | {taken:.0f} ms | {cpu:.0f} ms |" for text, (taken, cpu) in words.items()]
        slow += [text for text, (taken, _) in words.items() if taken > COMPLETION_GOAL]
    print("\n".join(lines))
    for why, tools in silent.items():
        print(f"not measured, {why}: {' '.join(tools)}")
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write("\n".join(lines) + "\n")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
