#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C sources are as clang-format writes them (.clang-format).

    format.py [--check] [FILE...]       all of src, bpf, cmd, include, libusdt, node and python without FILE

Writes files that differ, or with --check names them and the first lines that do.

Tables are left as they are: an initializer whose opening line ends in `= {`, a macro of
more than one line, an enum, a case in one line.  Their columns are part of what they say,
and clang-format would take them away.
"""
import argparse, concurrent.futures, difflib, glob, os, re, subprocess, sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TREES = ("src", "bpf", "cmd", "include", "libusdt", "java", "node", "python")
TABLE = re.compile(r"(= \{|^(typedef )?enum\b.*\{)$")
ROW = re.compile(r"\s*(case\b.*|default): .*;$")
SHOWN = 10      # lines of a difference


def ranges(lines):
    """Line numbers, from 1, that are clang-format's business: (first, last)."""
    first, number = 1, 0
    while number < len(lines):
        line, end = lines[number].rstrip(), number
        if re.match(r"\s*#\s*define\b", line) and line.endswith("\\"):
            while end + 1 < len(lines) and lines[end].rstrip().endswith("\\"):
                end += 1
        elif ROW.match(line):
            pass
        elif TABLE.search(line):
            depth = 0
            while True:
                depth += sum(map(lines[end].count, "{(")) - sum(map(lines[end].count, "})"))
                if depth <= 0 or end + 1 == len(lines):
                    break
                end += 1
        else:
            number += 1
            continue
        if first <= number:
            yield first, number
        number = end + 1
        first = number + 1
    if first <= len(lines):
        yield first, len(lines)


def formatted(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    wanted = [f"--lines={first}:{last}" for first, last in ranges(text.splitlines())]
    done = subprocess.run(["clang-format", "--style=file", *wanted, path], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: {done.stderr}")
    return text, done.stdout if wanted else text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    files = [os.path.relpath(file, TOP) for file in options.files]
    os.chdir(TOP)
    files = files or sorted(f for tree in TREES for f in glob.glob(tree + "/**/*.[ch]", recursive=True))
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, (text, good) in zip(files, pool.map(formatted, files)):
            if text == good:
                continue
            wrong += 1
            if options.check:
                diff = list(difflib.unified_diff(text.splitlines(True), good.splitlines(True), path, path, n=0))
                print("".join(diff[:SHOWN]) + ("...\n" if len(diff) > SHOWN else ""), end="", file=sys.stderr)
            else:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(good)
    if wrong and options.check:
        print(f"{wrong} of {len(files)} files are not as clang-format writes them: make format", file=sys.stderr)
    return 1 if wrong and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
