#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A provider, a function or a variable is known by name in its own file only.

What other rooms must know of one is a member of its struct (struct provider,
struct function, struct builtin_variable).  Fails where a room that stands
below or above compares something with such a name.
"""
import glob, os, re, sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOMS = "base btf lang ir bpf probe out run api".split()
# Beginnings and names of probes that are none of the words below.
PROBES = {"tick-", "profile-", "BEGIN", "END", "ERROR"}
COMPARES = re.compile(r'\b(?:\w*cmp|\w*starts_with|\w*ends_with|str_is)\((?:[^;{}"]|"[^"]*")*?"([^"]*)"')


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def names():
    found = set(PROBES)
    for table in ("builtin/functions.def", "builtin/variables.def", "agg/functions.def"):
        found.update(re.findall(r"\b(?:FUNCTION|VARIABLE|AGGREGATE)\((\w+)\)", read(f"src/{table}").split("defined.", 1)[1]))
    for path in glob.glob("src/provider/*.c"):
        found.update(re.findall(r'^const struct provider \w+ = {\n\t\.name = "(\w+)"', read(path), re.M))
    return found - {"return"}       # a function, and how names of probes end for -F


def main():
    os.chdir(TOP)
    known, status = names(), 0
    for path in sorted(f for room in ROOMS for f in glob.glob(f"src/{room}/*.[ch]")):
        if "test" in os.path.basename(path):
            continue
        text = re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n]", " ", comment[0]), read(path), flags=re.S)
        for found in COMPARES.finditer(text):
            if found[1] in known:
                line = text.count("\n", 0, found.start(1)) + 1
                print(f'{path}:{line}: knows "{found[1]}" by name; make it a member of its struct', file=sys.stderr)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
