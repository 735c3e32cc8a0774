#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that documents and comments speak of exist.

Looked at are paths that begin with a directory of the tree (src/ir/ir.h, test/lib.sh),
and in src/ and bpf/ also those that begin with a room (ir/abi.h) and sources by their
name alone (lower.c), which may be in any room.  `*` and capital words (src/provider/NAME.c)
stand for something else, and a path in a string is none of ours.
"""
import glob, os, re, sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TREES = "bench bpf cmd dlib doc examples include libusdt python src test tools".split()
PATH = re.compile(r"(?<![\w/.$%%~{}<>@*-])((?:%s)/[\w./*-]*[\w*])(?![\w/{(])" % "|".join(TREES))
IN_ROOM = re.compile(r"(?<![\w/.$%~{}<>@*-])([a-z]+/[a-z]\w*\.[a-z.]*[a-z]|[a-z]\w*\.(?:bpf\.c|c|def))\b(?![\w/.(])")
COMMENTS = {
    ".c .h .def .d": re.compile(r"/\*.*?\*/", re.S),
    ".py": re.compile(r'""".*?"""|(?m:(?:^|\s)#[^"\n]*$)', re.S),
    ".sh": re.compile(r"(?:^|\s)#.*$", re.M),
}
READ = ("*.md", "*.1", "*.4", "*.7", "*.8", "*.c", "*.h", "*.def", "*.d", "*.py", "*.sh", "Makefile")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def comments(path, text):
    """The text without what is no prose."""
    for kinds, comment in COMMENTS.items():
        if os.path.splitext(path)[1] in kinds.split():
            kept, end = [], 0
            for found in comment.finditer(text):
                kept += ["\n" * text.count("\n", end, found.start()), found[0]]
                end = found.end()
            return "".join(kept)
    return text


def exists(path):
    return bool(glob.glob(path)) or re.search(r"\b[A-Z]{2,}\b", path) is not None


def is_lost_in_rooms(name, names):
    room, slash, _ = name.rpartition("/")
    if not slash:
        return name not in names
    return room not in TREES and os.path.isdir("src/" + room) and not exists("src/" + name)


def main():
    os.chdir(TOP)
    files = sorted(f for tree in ("", *(tree + "/**/" for tree in TREES)) for kind in READ
                   for f in glob.glob(tree + kind, recursive=True))
    names = {os.path.basename(f) for f in files}
    status = 0
    for path in files:
        text = comments(path, read(path))
        in_rooms = path.startswith(("src/", "bpf/"))
        named = [m for m in PATH.finditer(text) if not exists(m[1]) and not (in_rooms and exists("src/" + m[1]))]
        if in_rooms:
            named += [m for m in IN_ROOM.finditer(text) if is_lost_in_rooms(m[1], names)]
        for wrong in named:
            print(f"{path}:{text.count(chr(10), 0, wrong.start()) + 1}: there is no {wrong[1]}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
