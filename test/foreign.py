#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the other tools take what doc/guide/coming-from.md says in their languages?

    foreign.py bpftrace|stap FILE.md

What stands beside D in the table of the tool's section becomes programs, one for each
`piece`: a probe gets a body, an expression or statement a probe.  bpftrace compiles them
and stops there (-d), so kernel functions may be named where they cannot be traced.  stap
reads them and the section's lines (-p1), and resolves what needs nothing of a kernel (-p2).
Prints what was refused, and how much there was.
"""
import os, re, subprocess, sys, tempfile

SECTIONS = {"bpftrace": "bpftrace", "stap": "SystemTap"}
LIBC = next((path for path in ("/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6") if os.path.exists(path)), "/lib/libc.so.6")


def section(text, title):
    return text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def pieces(text):
    """(label, piece) of the table's second column; a row without a label has that of the one before."""
    label = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("| ") or len(cells) < 3 or cells[0].startswith("---"):
            continue
        label = cells[0] or label
        for piece in re.findall(r"`([^`]+)`", cells[1]):
            yield label, piece.replace("...", " ")


def bpftrace_program(label, piece):
    piece = piece.replace("/path:provider:name", f"{LIBC}:libc:setjmp")
    if label == "probe":
        return f"{piece} {{ @ = count(); }}"
    if label == "condition":
        return f"tracepoint:syscalls:sys_enter_read {piece} {{ @ = count(); }}"
    probe = "kretprobe:vfs_read" if "retval" in piece else "kprobe:vfs_read" if "arg0" in piece else "tracepoint:syscalls:sys_enter_read"
    x = "args->count" if probe.startswith("tracepoint") else "1"
    if "@" in piece:
        body = re.sub(r"\bx\b", x, piece)
    elif piece == "$x":
        body = f"$x = {x}; @ = sum($x)"
    elif piece.startswith("lhist"):
        body = "@ = " + re.sub(r"\bx\b", x, piece)
    else:
        body = f"@ = {piece}"
    return f"{probe} {{ {body}; }}"


def bpftrace(text):
    for label, piece in pieces(text):
        options = piece.split() if piece.startswith("-") else []
        program = "BEGIN { exit(); }" if options else bpftrace_program(label, piece)
        yield piece, ["bpftrace", *options, "-d", "-e", program, "7"]


def stap_program(label, piece):
    """The program, and whether it needs a kernel."""
    if label == "probe":
        return f"global s; probe {piece} {{ s <<< 1 }}", not piece.startswith("timer.s")
    if label == "condition":
        return f"probe begin {{ {piece}; exit() }}", False
    if label == "arguments":
        return f"probe syscall.read {{ println({piece}) }}", True
    if label == "statistics":
        piece = piece.replace("s <<< x", "s <<< 1") if "<<<" in piece else f"s <<< 1; println({piece})"
        return f"global s; probe begin {{ {piece.replace('println(@hist', 'print(@hist')}; exit() }}", False
    if label.startswith("loop"):
        return f"global t; probe begin {{ t[1]++; {piece} println(k); exit() }}", False
    is_number = label in ("functions", "time") and piece.endswith("()")
    return f"probe begin {{ {f'println({piece})' if is_number else piece}; exit() }}", label == "stacks"


def stap(text, tree):
    """stap wants to see the tree in which the kernel was built; to read programs any will do."""
    os.makedirs(f"{tree}/include/config")
    for name, content in ((".config", ""), ("include/config/kernel.release", os.uname().release), ("Module.symvers", "")):
        with open(f"{tree}/{name}", "w") as file:
            file.write(content)
    programs = [(piece, *stap_program(label, piece)) for label, piece in pieces(text)]
    programs += [(line, line, "syscall." in line) for line in re.findall(r"^stap -e '(.*?)'$", text, re.M | re.S)]
    for piece, program, needs_kernel in programs:
        yield piece, ["stap", "--runtime=bpf", "-r", tree, "-p1" if needs_kernel else "-p2", "-e", program]


def main(tool, path):
    with open(path, encoding="utf-8") as file:
        text = section(file.read(), SECTIONS[tool])
    # bpftrace looks for tracepoints only in debugfs: give it one that disappears with us
    if tool == "bpftrace" and not os.path.exists("/sys/kernel/debug/tracing"):
        os.execvp("unshare", ["unshare", "-m", "sh", "-c", 'mount -t debugfs debugfs /sys/kernel/debug && exec "$@"', "sh",
                              sys.executable, *sys.argv])
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        for piece, command in bpftrace(text) if tool == "bpftrace" else stap(text, scratch + "/tree"):
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            count += 1
            if done.returncode:
                print(f"{tool} does not take {piece}, as {command[-1] if tool == 'stap' else command[-2]}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    print(f"{tool} was asked" if count > 15 else f"only {count} pieces")


if __name__ == "__main__":
    main(*sys.argv[1:])
