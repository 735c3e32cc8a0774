#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stacks of programs in other languages: how many samples of a profile reach the start of
their thread, how many frames have names, and what the profile costs.  Functions of files
that have been stripped have no names anywhere; they are counted apart.

Each program (bench/runtimes/) is traced for some seconds when it runs already, without any
option of its interpreter.  Web services are under the load of ab(1).  Costs are shares of one
CPU: of dtrace itself while it traces, and of its programs in the kernel.

    bench/runtimes.py build/dtrace [--seconds 10] [--only node,ruby] [--markdown FILE]
"""
import argparse, json, os, re, shutil, signal, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
LOADS = os.path.join(HERE, "runtimes")
STATS = "/proc/sys/kernel/bpf_stats_enabled"
# A frame without a name is an address: alone, or in a file that has been stripped.
NAMELESS, STRIPPED = re.compile(r"^0x[0-9a-f]+$"), re.compile(r"^.*`0x[0-9a-f]+$")


def java(place, home):
    source = os.path.join(os.path.dirname(HERE), "test/userland/stacks/JavaLoad.java")
    subprocess.run([f"{home}/bin/javac", "-d", place, source], check=True)
    return [f"{home}/bin/java", "-cp", place, "JavaLoad"]


def go(place):
    program = os.path.join(place, "server")
    subprocess.run(["go", "build", "-o", program, os.path.join(LOADS, "server.go")], check=True,
                   env={**os.environ, "GOCACHE": place, "GO111MODULE": "off"})
    return [program]


def php(place):
    return ["php", "-S", "127.0.0.1:18080", os.path.join(LOADS, "index.php")]


# name: command, path that ab asks for
PROGRAMS = {
    "Java 17": (lambda place: java(place, "/usr/lib/jvm/java-17-openjdk-amd64"), None),
    "Java 25": (lambda place: java(place, "/usr/lib/jvm/temurin-25-jdk-amd64"), None),
    "node": (lambda place: ["node", os.path.join(LOADS, "server.js")], "/html?q=2&z=1"),
    "Python": (lambda place: ["/usr/bin/python3", os.path.join(LOADS, "work.py")], None),
    "Ruby": (lambda place: ["ruby", os.path.join(LOADS, "work.rb")], None),
    "PHP": (php, "/?q=2"),
    "Go": (go, "/?q=2"),
}


def is_there(name):
    if name.startswith("Java"):
        return os.path.exists({"Java 17": "/usr/lib/jvm/java-17-openjdk-amd64",
                               "Java 25": "/usr/lib/jvm/temurin-25-jdk-amd64"}[name])
    return shutil.which({"Python": "/usr/bin/python3"}.get(name, name.lower())) is not None


def start(command, place):
    """The running program and the port it listens on, when it says that it is ready."""
    said = open(os.path.join(place, "said"), "w+")
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=said, stderr=subprocess.STDOUT)
    for _ in range(300):
        time.sleep(0.1)
        with open(said.name) as text:
            found = re.search(r"ready ?(\d*)|Development Server \(http://127.0.0.1:(\d+)\)", text.read())
        if found:
            return program, found.group(1) or found.group(2)
    raise SystemExit(f"{command}: it does not start: {open(said.name).read()}")


def programs_time(pid):
    """Nanoseconds that the BPF programs of a process have run."""
    found = {}
    for entry in os.scandir(f"/proc/{pid}/fdinfo"):
        try:
            words = dict(line.split(":", 1) for line in open(entry.path) if ":" in line)
        except FileNotFoundError:
            continue
        if "prog_id" in words and "run_time_ns" in words:
            found[words["prog_id"]] = int(words["run_time_ns"])
    return sum(found.values())


def cpu_of(pid):
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def profile(dtrace, pid, seconds, frames):
    """(stacks with counts, share of a CPU of dtrace, of its programs)"""
    script = "profile-997 /pid == $target/ { @[jstack(%d)] = count(); } tick-%ds { exit(0); }" % (frames, seconds)
    output = tempfile.NamedTemporaryFile("w+")
    tracer = subprocess.Popen([dtrace, "-x", "aggsize=64m", "-x", "oformat=json", "-qn", script, "-p", str(pid)],
                              stdout=output)
    time.sleep(1)
    cpu, kernel, since = cpu_of(tracer.pid), programs_time(tracer.pid), time.monotonic()
    time.sleep(seconds - 2)
    span = time.monotonic() - since
    cpu = (cpu_of(tracer.pid) - cpu) / span
    kernel = (programs_time(tracer.pid) - kernel) / 1e9 / span
    tracer.wait()
    rows = []
    for item in json.load(open(output.name))["items"]:
        if item["type"] == "aggregation":
            rows += [(row["key"][0], row["value"][0]) for row in item["table"]["rows"]]
    return rows, cpu, kernel


def measure(dtrace, name, seconds, frames):
    command, path = PROGRAMS[name]
    with tempfile.TemporaryDirectory() as place:
        program, port = start(command(place), place)
        load = None
        try:
            if path:
                load = subprocess.Popen(["sh", "-c", f"while :; do ab -q -k -c 4 -n 100000 'http://127.0.0.1:{port}{path}'; done"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(3)
            rows, cpu, kernel = profile(dtrace, program.pid, seconds, frames)
        finally:
            if load:
                os.killpg(load.pid, signal.SIGKILL)
            program.kill()
            program.wait()
    samples = sum(count for _, count in rows)
    whole = sum(count for frames, count in rows if frames and not frames[-1].lstrip().startswith("["))
    frames = sum(count * len(frames) for frames, count in rows)
    nameless, stripped, cut = {}, {}, {}
    for stack, count in rows:
        if stack and stack[-1].lstrip().startswith("["):
            key = " ".join(stack[-2:])
            cut[key] = cut.get(key, 0) + count
        for frame in stack:
            for kind, pattern in (nameless, NAMELESS), (stripped, STRIPPED):
                if pattern.match(frame):
                    kind[frame] = kind.get(frame, 0) + count
    return {"name": name, "samples": samples, "whole": whole / max(samples, 1),
            "named": 1 - sum(nameless.values()) / max(frames, 1),
            "stripped": sum(stripped.values()) / max(frames, 1), "depth": frames / max(samples, 1),
            "cpu": cpu, "kernel": kernel, "nameless": nameless, "cut": cut}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dtrace")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--frames", type=int, default=400)
    parser.add_argument("--only", default="")
    parser.add_argument("--markdown")
    parser.add_argument("--why", action="store_true", help="show what is cut and what has no name")
    options = parser.parse_args()
    chosen = [name for name in PROGRAMS if not options.only or any(
        name.lower().startswith(word.lower()) for word in options.only.split(","))]
    lines = ["| program | samples | frames each | whole | named | in stripped files | dtrace | its programs |",
             "|---|---|---|---|---|---|---|---|"]
    print("\n".join(lines))
    with open(STATS, "w") as switch:
        switch.write("1")
    for name in chosen:
        if not is_there(name):
            print(f"{name}: is not installed", file=sys.stderr)
            continue
        found = measure(options.dtrace, name, options.seconds, options.frames)
        lines.append("| {name} | {samples:,} | {depth:.0f} | {whole:.2%} | {named:.2%} | {stripped:.1%} | {cpu:.1%} | {kernel:.1%} |".format(**found))
        print(lines[-1], flush=True)
        if options.why:
            for what in "cut", "nameless":
                for text, count in sorted(found[what].items(), key=lambda one: -one[1])[:8]:
                    print(f"    {what} {count} {text}")
    with open(STATS, "w") as switch:
        switch.write("0")
    if options.markdown:
        with open(options.markdown, "w") as page:
            page.write("\n".join(lines) + "\n")


main()
