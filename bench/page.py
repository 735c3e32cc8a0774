#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the measurements into the results page.

    page.py PAGE NAME=FILE ...

The page has pairs of lines <!-- NAME: made by ... --> and <!-- end of NAME -->; what
is between them becomes the file's content.  bench.py and scaling.py write such
files (--markdown).
"""
import os, platform, re, subprocess, sys


def describe(rounds, seconds):
    """Where and how: one paragraph."""
    version = subprocess.run(["bpftrace", "--version"], capture_output=True, text=True, check=False).stdout.strip().replace("bpftrace v", "bpftrace ")
    kernel = ".".join(platform.release().split(".")[:2])
    busy = os.getloadavg()[1] / len(os.sched_getaffinity(0))
    return (f"{len(os.sched_getaffinity(0))} CPUs ({platform.machine()}), Linux {kernel}, {version}; "
            f"{rounds} rounds, {seconds:.0f} s, load {busy:.1f} for each CPU.\n\n")


def pretty(text):
    text = re.sub(r"(?<=[\d.]) x\b", " ×", text)
    return text.replace("<=", "≤").replace(">=", "≥")


def markdown(rows):
    """Rows of bench.py as a table."""
    lines = ["| case | measured | goal | holds | peers |", "|---|---|---|---|---|"]
    for name, figure, goal, holds, peers, note in rows:
        word = "" if holds is None else "yes" if holds else "**no**"
        rest = " ".join(part for part in (peers, note) if part).strip()
        lines.append(f"| {name.strip()} | {pretty(figure)} | {pretty(goal or '')} | {word} | {pretty(rest)} |")
    return "\n".join(lines) + "\n"


def replaced(text, name, content):
    pattern = re.compile(rf"(<!-- {name}:[^>]*-->\n).*?(<!-- end of {name} -->)", re.S)
    if not pattern.search(text):
        raise SystemExit(f"the page has no place for {name}")
    return pattern.sub(lambda found: found.group(1) + content.strip() + "\n" + found.group(2), text)


def main(page, *files):
    with open(page) as file:
        text = file.read()
    for pair in files:
        name, _, path = pair.partition("=")
        if not os.path.exists(path):
            raise SystemExit(f"{path} is not there: run make bench")
        with open(path) as file:
            text = replaced(text, name, file.read())
    with open(page, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
