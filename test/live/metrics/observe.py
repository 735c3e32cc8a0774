#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Traces metrics while a command runs, and says which of them report nothing.

    observe.py DTRACE DTLIVE [--pid N] [--may-be-silent FILE] COMMAND METRIC ...

Eight at a time.  Of each metric it is the default that is traced, and with --pid of this
process.  FILE has lines "METRIC why": metrics that may be silent here.  Messages of
dtrace are printed, unless they are about files of other tests, or count what was lost:
eight programs at a time fill a small machine, and lock.kernel's probes may fire while the
kernel holds the lock of D's variables.
"""
import argparse, re, signal, subprocess, time

BATCH = 8
EXPECTED = re.compile(r"dtrace: (.* is not read: |\d+ (\w+ )*drops?\b)")
parser = argparse.ArgumentParser()
parser.add_argument("dtrace")
parser.add_argument("dtlive")
parser.add_argument("--pid")
parser.add_argument("--may-be-silent")
parser.add_argument("command")
parser.add_argument("metrics", nargs="+")
options = parser.parse_args()
silent = {}
if options.may_be_silent:
    with open(options.may_be_silent) as file:
        silent = dict(line.strip().split(" ", 1) for line in file if line.strip())


def start(name):
    arguments = ["--pid", options.pid] if options.pid else []
    made = subprocess.run([options.dtlive, "program", name, *arguments], capture_output=True, text=True)
    if made.returncode:
        print(f"{name}: {made.stderr.strip()}")
        return None
    target = ["-p", options.pid] if "$target" in made.stdout else []
    program = made.stdout + 'tick-10ms /!armed++/ { printf("armed\\n"); }'
    with open(f"{name}.out", "w") as out:
        return subprocess.Popen([options.dtrace, "-qn", program, *target], stdout=out, stderr=subprocess.STDOUT)


def is_armed(name, process):
    with open(f"{name}.out", errors="replace") as out:
        return "armed\n" in out.read() or process.poll() is not None


def report(name):
    with open(f"{name}.out", errors="replace") as out:
        lines = [line.rstrip() for line in out if line.strip() and line != "armed\n"]
    for line in lines:
        if line.startswith("dtrace:") and not EXPECTED.match(line):
            print(f"{name}: {line}")
    if not [line for line in lines if not line.startswith("dtrace:")]:
        if name not in silent:
            print(f"{name}: nothing")
        return 0
    return 1


reported = 0
for first in range(0, len(options.metrics), BATCH):
    names = options.metrics[first:first + BATCH]
    running = {name: process for name in names if (process := start(name))}
    while not all(is_armed(*item) for item in running.items()):
        time.sleep(0.05)
    subprocess.run(options.command, shell=True)
    for process in running.values():
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
    for name, process in running.items():
        process.wait()
        reported += report(name)
unknown = [name for name in silent if name not in options.metrics]
if unknown:
    print("not among them:", *unknown)
if reported + len(silent) >= len(options.metrics):
    print("all report something")
