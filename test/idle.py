#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Find golden tests that prove nothing: they pass although nothing is traced.

    idle.py [--jobs N] [--seconds N] [TEST...]

The golden tests are run with commands and libraries that do nothing, of three sorts:

    succeeds    prints nothing, status 0
    fails       prints nothing, status 1
    runs        runs the command of -c, prints nothing itself, status 0

The other commands and libdtrace are as idle: every public function returns 0, or 1.
A test that passes with one of them is named, and the run fails, unless idle.txt knows it,
with the reason: a line is `chapter/name.sh: reason`.  A line about a test that is not
there, or that passes with none, is an error, too.

Tests that wait for something do so for a moment only ($LOOKS, lib.sh), and are ended after
--seconds: what does not pass by then has noticed.  What this kernel makes a test skip
was not looked at; how many that are is printed.

The closing line is `N passed, N failed, N skipped`.
"""
import argparse, os, re, subprocess, sys, tempfile

import run

COMMANDS = ("dtrace", "lockstat", "plockstat", "intrstat", "stackvis", "pfiles", "prstat", "use", "dtlive")
RUN_THE_COMMAND = """for word; do
	[ "$previous" = -c ] && { $word; break; }
	previous=$word
done
exit 0
"""
SORTS = {           # what a command does, what a function of the library returns
    "succeeds": ("exit 0\n", 0),
    "fails": ("exit 1\n", 1),
    "runs": (RUN_THE_COMMAND, 0),
}


def write_idle(directory, command, value):
    """Everything that tests find beside dtrace."""
    for name in COMMANDS:
        path = os.path.join(directory, name)
        with open(path, "w") as file:
            file.write("#!/bin/sh\n" + command)
        os.chmod(path, 0o755)
    with open(os.path.join(run.TOP, "src/api/libdtrace.map")) as file:
        functions = re.findall(r"^\t(\w+);", file.read(), re.M)
    source = os.path.join(directory, "idle.c")
    with open(source, "w") as file:
        file.writelines(f"long {name}(void);\nlong {name}(void) {{ return {value}; }}\n" for name in functions)
    for build in (["cc", "-fPIC", "-c", "idle.c"], ["ar", "rcs", "libdtrace.a", "idle.o"],
                  ["cc", "-shared", "-Wl,-soname,libdtrace.so.1", "-o", "libdtrace.so.1", "idle.o"],
                  ["ln", "-s", "libdtrace.so.1", "libdtrace.so"]):
        subprocess.run(build, cwd=directory, check=True)


def look(sort, options):
    """Names of tests by verdict; LATE are those that failed because they were ended."""
    found = {"PASS": set(), "FAIL": set(), "SKIP": set(), "LATE": set()}
    with tempfile.TemporaryDirectory() as directory:
        write_idle(directory, *SORTS[sort])
        done = subprocess.run([os.path.join(run.HERE, "run.py"), "--dtrace", os.path.join(directory, "dtrace"),
                               "--env", "LOOKS=3", "--limit", str(options.seconds), "--jobs", str(options.jobs), "--verbose",
                               *options.tests], stdout=subprocess.PIPE, text=True, errors="replace")
    for line in done.stdout.splitlines():
        match = re.match(r"(PASS|FAIL|SKIP) ([\w.]+/[\w.]+\.(?:d|sh))(?::|$)", line)
        if match:
            found["LATE" if ": not done after " in line else match[1]].add(match[2])
        elif re.match(r"\d+ passed, ", line):
            print(f"  {sort}: {line}", flush=True)
    return found


def excused(path=os.path.join(run.HERE, "idle.txt")):
    lines = [line for line in run.expected(path).splitlines() if line and not line.startswith("#")]
    for line in lines:
        if not re.fullmatch(r"\S+: \S.*", line):
            sys.exit(f"{path}: no reason: {line}")
    return {line.split(":")[0] for line in lines}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=3 * os.cpu_count())
    parser.add_argument("--seconds", type=int, default=8, help="for one test")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    noticed, late, skipped, blind = set(), set(), set(), {}
    for sort in SORTS:
        found = look(sort, options)
        noticed |= found["FAIL"]
        late |= found["LATE"]
        skipped |= found["SKIP"]
        for name in found["PASS"]:
            blind.setdefault(name, []).append(sort)
    known = excused()
    chosen = {run.test_name(test) for test in run.find_tests(options.tests)}
    there = {run.test_name(test) for test in run.find_tests()}
    wrong = {name: f"passes with a dtrace that {' or '.join(sorts)}" for name, sorts in blind.items() if name not in known}
    wrong |= {name: "is in idle.txt, and does not pass" for name in known & chosen & noticed - late - set(blind)}
    wrong |= {name: "is in idle.txt, and is no test" for name in known - there}
    for name, why in sorted(wrong.items()):
        print(f"FAIL {name} {why}")
    print(f"{len((noticed | late | set(blind)) - set(wrong))} passed, {len(wrong)} failed, {len(skipped)} skipped")
    return 1 if wrong or not noticed else 0


if __name__ == "__main__":
    sys.exit(main())
