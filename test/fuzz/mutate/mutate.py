#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damaged object files, and every command that reads them.

    mutate.py --dtrace PATH [--files N] [--seed N] [--keep DIR]

Small honest files, of every kind that is read, are damaged: a field of a header
becomes something odd, bytes of a section change, the file ends early.  The same
seed makes the same files.  A process maps a batch of them as code, and dtrace,
built with sanitizers, is asked

    list    for functions and their returns in them     -ln pid$target:::
    notes   for their static probes                     -ln '*$target:::'
    types   for arguments of functions                  -lvn pid$target:::
    names   to name addresses in them, and to unwind    usym(), ustack()
    run     to follow those that still run              -c, ustack()
    link    to take them for objects of a program       -G

and may say what it likes, as long as it ends, in time, with status 0 or 1, and
without a word from a sanitizer.  The closing line is `N passed, N failed`: a
command on a batch of files is one.  Files of a batch that failed are kept.
"""
import argparse, os, random, shutil, struct, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TEST = os.path.dirname(os.path.dirname(HERE))
BATCH = 30
LIMIT = 120             # seconds: a hang, not a slow machine
SOURCES = os.path.join(TEST, "triggers")
ODD = [0, 1, 2, 7, 8, 16, 24, 64, 255, 4095, 4096, 65535, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 47, (1 << 63) - 1, 1 << 63,
       (1 << 64) - 24, (1 << 64) - 1]
SHDR = [("I", 0), ("I", 4), ("Q", 8), ("Q", 16), ("Q", 24), ("Q", 32), ("I", 40), ("I", 44), ("Q", 48), ("Q", 56)]
PHDR = [("I", 0), ("I", 4), ("Q", 8), ("Q", 16), ("Q", 24), ("Q", 32), ("Q", 40), ("Q", 48)]
EHDR = [("H", 16), ("H", 18), ("Q", 24), ("Q", 32), ("Q", 40), ("H", 52), ("H", 54), ("H", 56), ("H", 58), ("H", 60), ("H", 62)]
MASKS = {"H": (1 << 16) - 1, "I": (1 << 32) - 1, "Q": (1 << 64) - 1}


def make_seeds(where):
    """(programs and libraries, objects)"""
    def build(name, *arguments):
        path = os.path.join(where, name)
        subprocess.run([*arguments, "-o", path], check=True)
        return path
    source = lambda name: os.path.join(SOURCES, name)
    plain = build("plain", "gcc", "-O1", "-g", source("requests.c"), "-Wl,--build-id", "-pthread")
    seeds = [
        plain,
        build("sites", "gcc", "-O1", "-g", source("sites.c"), "-pthread"),
        build("library", "gcc", "-O2", "-g", "-shared", "-fPIC", source("requests.so.c")),
        build("dwarf4", "gcc", "-O1", "-gdwarf-4", source("handler.c"), "-pthread"),
        build("packed", "gcc", "-O1", "-g", "-gz", source("requests.c"), "-pthread"),
        build("classes", "g++", "-O1", "-g", source("classes.cc")),
    ]
    small, inner = os.path.join(where, "small"), os.path.join(where, "inner")
    subprocess.run(["objcopy", "--strip-debug", "-S", "--keep-symbol=main", plain, inner], check=True)
    subprocess.run(["xz", "-f", "-k", inner], check=True)
    subprocess.run(["objcopy", "-S", "--add-section", f".gnu_debugdata={inner}.xz", plain, small], check=True)
    objects = [build("sites.o", "gcc", "-O1", "-g", "-c", source("sites.c")),
               build("calls.o", "gcc", "-O1", "-c", os.path.join(HERE, "calls.c"))]
    return seeds + [small], objects


def put(data, letter, at, value):
    if at + struct.calcsize(letter) <= len(data):
        struct.pack_into("<" + letter, data, at, value & MASKS[letter])


def odd_value(dice, data, letter, at):
    """Something odd, or nearly what is there."""
    if at + struct.calcsize(letter) > len(data) or dice.random() < 0.6:
        return dice.choice(ODD)
    (old,) = struct.unpack_from("<" + letter, data, at)
    return dice.choice([old + 1, old - 1, old * 2, old // 2, old + 8, old ^ (1 << dice.randrange(32)), dice.randrange(len(data))])


def damage_bytes(dice, data, start, size):
    size = min(size, len(data) - start)
    if start < 0 or size <= 0:
        return
    for _ in range(dice.choice([1, 1, 2, 4, 16, 64])):
        at = start + dice.randrange(size)
        kind = dice.randrange(4)
        if kind == 0:
            data[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            data[at] = dice.choice([0, 1, 0x7f, 0x80, 0xff, dice.randrange(256)])
        elif kind == 2:
            put(data, "I", at, dice.choice(ODD))
        else:
            length = min(dice.randrange(1, 64), start + size - at)
            data[at:at + length] = bytes([dice.choice([0, 0xff, 0x80])]) * length


def mutate(dice, data):
    shoff, phoff = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<Q", data, 32)[0]
    phnum, shnum = struct.unpack_from("<H", data, 56)[0], struct.unpack_from("<H", data, 60)[0]
    names = struct.unpack_from("<H", data, 62)[0]
    name_start = struct.unpack_from("<Q", data, shoff + names * 64 + 24)[0]
    sections = []
    for i in range(shnum):
        name, kind, _, _, start, size = struct.unpack_from("<IIQQQQ", data, shoff + i * 64)
        text = bytes(data[name_start + name:data.index(0, name_start + name)]).decode("latin1")
        # what only runs is not read: code, data
        if kind != 8 and size and (text[:5] in (".symt", ".strt", ".dyns", ".eh_f", ".note", ".debu", ".gnu_", ".shst", ".rela")):
            sections.append((start, size))
    for _ in range(dice.choice([1, 1, 1, 2, 3, 5])):
        kind = dice.random()
        if kind < 0.08:
            letter, at = dice.choice(EHDR)
            put(data, letter, at, odd_value(dice, data, letter, at))
        elif kind < 0.30 and shnum:
            letter, at = dice.choice(SHDR)
            at += shoff + dice.randrange(shnum) * 64
            put(data, letter, at, odd_value(dice, data, letter, at))
        elif kind < 0.38 and phnum:
            letter, at = dice.choice(PHDR)
            at += phoff + dice.randrange(phnum) * 56
            put(data, letter, at, odd_value(dice, data, letter, at))
        elif kind < 0.97 or not sections:
            damage_bytes(dice, data, *dice.choice(sections or [(0, len(data))]))
        else:
            del data[dice.randrange(64, len(data)):]
            break
    return data


class Run:
    def __init__(self, options, where):
        self.options, self.where = options, where
        self.passed, self.failed = 0, []
        self.env = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:exitcode=99:allocator_may_return_null=1",
                        UBSAN_OPTIONS="print_stacktrace=1")

    def dtrace(self, name, batch, least, *arguments):
        """One command; its verdict.  It prints `least` lines, or has not looked."""
        what, text = None, ""
        try:
            done = subprocess.run([self.options.dtrace, *arguments], env=self.env, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=LIMIT)
            text = done.stderr.decode("latin1")
            if done.returncode not in (0, 1):
                what = f"status {done.returncode}"
            elif "Sanitizer" in text or "runtime error:" in text:
                what = "a sanitizer"
            elif done.stdout.count(b"\n") < least:
                what = "it has printed too little"
        except subprocess.TimeoutExpired:
            what = f"not done after {LIMIT} s"
        if not what:
            self.passed += 1
            return
        self.failed.append(name)
        kept = os.path.join(self.options.keep, f"{name}-{len(self.failed)}")
        os.makedirs(kept, exist_ok=True)
        for path in batch:
            shutil.copy(path, kept)
        print(f"FAIL {name}: {what}; its files are in {kept}\n  dtrace {' '.join(arguments)}\n" +
              "\n".join("  " + line for line in text.splitlines()[:40]), flush=True)

    def batch(self, files, objects):
        hold = subprocess.Popen([os.path.join(self.where, "hold"), *files], stdout=subprocess.PIPE)
        try:
            if hold.stdout.readline() != b"mapped\n":
                sys.exit("the process that maps the files does not run")
            target = ["-Z", "-p", str(hold.pid)]
            self.dtrace("list", files, 10 * len(files), *target, "-ln", "pid$target:m*::entry", "-ln", "pid$target:m*::return")
            self.dtrace("notes", files, 10, *target, "-ln", "*$target:::")
            self.dtrace("types", files, 10 * len(files), *target, "-lvn", "pid$target:m*:[a-h]*:entry")
            self.dtrace("names", files, 10 * len(files), *target, "-qn", """
                syscall::getppid:entry /pid == $target/ { @[usym(arg0), umod(arg0), uaddr(arg0)] = count(); @s[ustack(5)] = count(); n++; }
                tick-10ms /n > 3000/ { exit(0); }""")
        finally:
            hold.kill()
            hold.wait()
        # as nobody, without memory and files to write to
        script = os.path.join(self.where, "run.sh")
        with open(script, "w") as file:
            file.write("ulimit -c 0 -f 0 -t 2 -v 2000000\n" + "".join(
                f"timeout -s KILL 0.3 setpriv --reuid=65534 --regid=65534 --clear-groups {path} now 1 > /dev/null 2>&1 < /dev/null\n"
                for path in files if os.access(path, os.X_OK)))
        self.dtrace("run", files, 10, "-qn", 'syscall:::entry /progenyof($target) && execname != "sh"/ { @[ustack(6)] = count(); }', "-c", f"sh {script}")
        for path in objects:
            self.dtrace("link", [path], 0, "-G", "-s", os.path.join(HERE, "calls.d"), "-o", os.path.join(self.where, "out.o"), path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtrace", required=True)
    parser.add_argument("--files", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=os.path.join(os.path.dirname(TEST), "build/mutants"))
    options = parser.parse_args()
    options.dtrace = os.path.abspath(options.dtrace)
    with tempfile.TemporaryDirectory() as where:
        os.chmod(where, 0o755)
        subprocess.run(["gcc", "-O1", "-Wall", "-Wextra", "-o", os.path.join(where, "hold"), os.path.join(HERE, "hold.c")], check=True)
        seeds, objects = make_seeds(where)
        run = Run(options, where)
        for first in range(0, options.files, BATCH):
            batch, linked = [], []
            for i in range(first, min(first + BATCH, options.files)):
                dice = random.Random(f"{options.seed} {i}")
                for made, of, suffix in ((batch, seeds, ""), (linked, objects, ".o")):
                    with open(of[i % len(of)], "rb") as file:
                        data = mutate(dice, bytearray(file.read()))
                    made.append(os.path.join(where, f"m{i:05}{suffix}"))
                    with open(made[-1], "wb") as file:
                        file.write(data)
                    os.chmod(made[-1], 0o755)
            run.batch(batch, linked)
            for path in batch + linked:
                os.unlink(path)
            if options.files > BATCH:
                print(f"{min(first + BATCH, options.files)} of {options.files} files", flush=True)
    print(f"{run.passed} passed, {len(run.failed)} failed", flush=True)
    return 1 if run.failed or not run.passed else 0


if __name__ == "__main__":
    sys.exit(main())
