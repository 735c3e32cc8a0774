#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dependencies between the rooms point one way.  Names the include that does not.

    base <- facts, arch <- btf, view <- lang <- ir <- bpf <- the middle rooms <- runtime <- run <- api

The run-time library (bpf/ at the top) stands on nothing but the headers of the machine
(src/arch/x86_64/), and those on nothing but it.  The commands (cmd/) see the public
header, and view for pictures.  The agent for Java (java/) stands on nothing; its
messages are seen by who speaks to it.  The live page (live/) sees the public header and what
reads facts; it has no way to the kernel but the library.  So does the fleet (fleet/),
whose agents start the live page's workers; dtlive has the commands of both.  Unit tests
may look anywhere.
"""
import glob, os, re, sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEVELS = ["library machine java base", "facts arch", "btf view", "lang", "ir", "bpf", "probe provider builtin agg sink proc usdt", "runtime", "run", "api"]
RANK = {room: rank for rank, level in enumerate(LEVELS) for room in level.split()}
WHERE = ["src", ".", "include", *glob.glob("src/arch/*/", root_dir=TOP)]    # -I of the Makefile, generated files aside


BOTTOM = ("library", "machine")
READERS = ("base", "facts", "view", "agg", "sink", "public", "cmd")


def room_of(path):
    top, _, rest = path.partition("/")
    if path.endswith(".h") and len(path.split("/")) > 3:
        return "machine"
    return rest.split("/")[0] if top == "src" else {"bpf": "library", "include": "public", "cmd": "cmd", "live": "live", "fleet": "fleet", "java": "java"}[top]


def file_of(path, include):
    """As the compiler looks for it; None: the system's, or a generated one."""
    for directory in [os.path.dirname(path), *WHERE]:
        file = os.path.normpath(os.path.join(directory, include))
        if os.path.exists(file):
            return file
    return None


def may(room, other):
    if room == other or other == "public" and room in ("cmd", "api") or (room, other) == ("cmd", "view"):
        return True
    if room in ("live", "fleet"):
        return other in READERS or other in ("live", "fleet")
    if room in BOTTOM:
        return other in BOTTOM
    return room in RANK and other in RANK and RANK[other] <= RANK[room]


def main():
    os.chdir(TOP)
    status = 0
    for path in sorted(f for where in ("src/*", "src/*/*", "bpf", "include", "cmd", "live", "fleet", "java") for f in glob.glob(f"{where}/*.*")):
        if path.endswith("_test.c") or not path.endswith((".c", ".h", ".def")):
            continue
        with open(path, encoding="utf-8") as file:
            includes = re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', file.read(), re.M)
        for include in includes:
            other = file_of(path, include)
            if other and not may(room_of(path), room_of(other)):
                print(f"{path}: {room_of(path)} may not include {other}", file=sys.stderr)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
