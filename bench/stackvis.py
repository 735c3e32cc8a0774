#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How long stackvis(1) takes for a large file of folded stacks.

    stackvis.py STACKVIS STACKS [--rounds N] [--markdown FILE]

STACKS (bench/stacks.c) makes the input: 100,000 different stacks of 60 frames.  The time
is that of the CPU, user and system, the best of the rounds: others may use the machine.
Twice the input may take little more than twice the time.
"""
import argparse, os, subprocess, sys, tempfile

MEGABYTES = 76


def taken(command, path):
    """Seconds of CPU, and the size of what was written."""
    with open(path, "rb") as text, tempfile.TemporaryFile() as out:
        before = os.times()
        subprocess.run(command, stdin=text, stdout=out, check=True)
        after = os.times()
        return after.children_user - before.children_user + after.children_system - before.children_system, os.fstat(out.fileno()).st_size


def measure(options, directory):
    """(what, measured, goal, does it hold)"""
    def best(form, path):
        runs = [taken([options.stackvis, "collapsed", form], path) for _ in range(options.rounds)]
        return min(seconds for seconds, _ in runs), runs[0][1]

    def make(name, *arguments):
        path = os.path.join(directory, name)
        with open(path, "wb") as file:
            subprocess.run([options.stacks, *map(str, arguments)], stdout=file, check=True)
        return path

    text, double = make("text", MEGABYTES), make("double", 2 * MEGABYTES)
    for form in ("flamegraph-svg", "flamegraph-html"):
        seconds, size = best(form, text)
        yield f"{MEGABYTES} MB to {form}", f"{seconds:.2f} s", "≤ 1 s", seconds <= 1
        yield f"size of {form}", f"{size / 1e6:.1f} MB", "≤ 10 MB", size <= 10e6
        ratio = best(form, double)[0] / seconds
        yield f"twice as much to {form}", f"{ratio:.1f} times", "≤ 2.3 times", ratio <= 2.3
    os.unlink(double)
    path = make("sorted", MEGABYTES, "sorted")
    seconds, _ = best("flamegraph-svg", path)
    yield "the same, sorted", f"{seconds:.2f} s", "", True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stackvis")
    parser.add_argument("stacks")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--markdown")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        rows = list(measure(options, directory))
    for what, figure, goal, holds in rows:
        print(f"{what:<36} {figure:>10} {goal:>14} {'' if holds else 'MISSED'}")
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write("| stackvis(1) | measured | goal |\n|---|---:|---:|\n")
            file.writelines(f"| {what} | {figure} | {goal} |\n" for what, figure, goal, _ in rows)
    return 0 if all(holds for *_, holds in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
