#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every option with every sort of value, on a program that runs.

    options.py [--dtrace PATH] [--cases N] [--seed N] [--jobs N] [--sanitized]

The options are those that `dtrace -x help` lists.  Each value comes with -x, and
some in the other ways in which options are set: #pragma, setopt(), the
environment.  A run must either do what the program says and end with status 0, or fail with a
message that names the option (or say what the tables below know).  A crash, a
hang, a report of a sanitizer, and more memory than LIMIT are failures.

Without --cases all of them run, some minutes; with it so many, chosen by the
seed.  The closing line is `N passed, N failed`.
"""
import argparse, concurrent.futures, os, random, re, resource, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 4 << 30         # bytes of address space
MOST_RESIDENT = 1 << 30
WATCHDOG = 60           # seconds: a hang, not a slow machine

PROGRAM = """%sBEGIN { %sself->id = speculation(); a["key"] = execname; }
BEGIN { speculate(self->id); printf("speculated %%d\\n", 41); }
BEGIN { commit(self->id); this->p = alloca(8); }
BEGIN { printf("marker %%d\\n", 42); stack(); ustack(); @n["key", 1] = count(); @q = quantize(7); }
BEGIN { printf("%%d\\n", strlen(strjoin(a["key"], probename)) > 0); }
BEGIN { printa("counted %%@d\\n", @n); exit(0); }
"""
NUMBERS = ["0", "1", "-1", "7", "127", "4096", "65536", "2147483647", "2147483648", "4294967295", "4294967296",
           "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
           "99999999999999999999999", "0x10", "0x7fffffffffffffff", "010", "1e9", "1.5", "+1", " 1", "1 "]
SUFFIXES = ["k", "m", "g", "t", "K", "M", "p", "kb", "ns", "nsec", "us", "ms", "s", "sec", "m", "min", "h", "hour",
            "d", "day", "hz", "HZ", "x", "%"]
WORDS = ["", "yes", "no", "on", "off", "maybe", "NULL", "%s%n%s", "\u00e9\u4e2d\U0001f600", "a=b", "=", "==", ",", "tree,ir",
         "switch", "fill", "ring", "auto", "manual", "json", "csv", "text", "utf8", "stable", "Stable/Stable/Common",
         "1.0", "2.0", "99.99", "unlimited", "/nonexistent", "/", ".", "-", "--", "'", '"', "\\", "$(id)", "\x01\x7f",
         "x" * 4096, "9" * 4096, "a/" * 2000]
# The values that come in every way.
SOME = [None, "0", "1", "-1", "2000000000", "9223372036854775807", "16m", "1000000t", "1ns", "yes", "x" * 4096, "\u00e9"]
# What a run may say instead of the option's name.
ANSWERS = {
    "grabanon": "No anonymous tracing state",
    "amin": "predefined minimum",
    "cpp": "preprocess", "cppargs": "preprocess", "cpppath": "preprocess", "stdc": "preprocess",
    "define": "preprocess", "undef": "preprocess", "incdir": "preprocess",
    "evaltime": "", "version": "ersion",
    "scratchsize": "scratch",
    "cpu": "CPU",
}


def values():
    yield None
    yield from NUMBERS
    for suffix in SUFFIXES:
        for number in ("0", "3", "-1", "1000000", "9223372036854775807"):
            yield number + suffix
    yield from WORDS


def quoted(text):
    """As a string of D."""
    return '"' + "".join(f"\\x{byte:02x}" if byte < 32 or byte > 126 or byte in b'"\\' else chr(byte)
                         for byte in text.encode()) + '"'


def limit(is_sanitized):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not is_sanitized:
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))


class Case:
    def __init__(self, name, value, way):
        self.name, self.value, self.way = name, value, way

    def __str__(self):
        value = "" if self.value is None else "=" + (self.value if len(self.value) < 60 else self.value[:20] + f"... ({len(self.value)})")
        return f"{self.way} {self.name}{value}".encode("unicode_escape").decode()

    def command(self, script):
        setting = self.name if self.value is None else f"{self.name}={self.value}"
        before, first = "", ""
        options, env = [], dict(os.environ)
        if self.way == "-x":
            options = ["-x", setting]
        elif self.way == "pragma":
            before = f"#pragma D option {setting}\n"
        elif self.way == "setopt":
            first = f"setopt({quoted(self.name)}" + ("" if self.value is None else f", {quoted(self.value)}") + "); "
        else:
            env["DTRACE_OPT_" + self.name.upper()] = self.value or ""
        script.write((PROGRAM % (before, first)).encode())
        script.flush()
        return ["-q", *options, "-s", script.name], env

    def problem(self, dtrace, is_sanitized):
        """What is wrong with this case, or None."""
        # some values are names of files
        with tempfile.TemporaryDirectory() as scratch, tempfile.NamedTemporaryFile(suffix=".d") as script:
            options, env = self.command(script)
            child = subprocess.Popen([dtrace, *options], cwd=scratch, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, preexec_fn=lambda: limit(is_sanitized))
            try:
                out, err = (said.decode(errors="replace") for said in child.communicate(timeout=WATCHDOG))
            except subprocess.TimeoutExpired:
                child.kill()
                child.communicate()
                return f"hung for {WATCHDOG} s"
        said = f"status {child.returncode}\n{out[-400:]}\n{err[-1200:]}"
        if child.returncode < 0 or re.search(r"AddressSanitizer|runtime error|LeakSanitizer|Assertion", err):
            return "crashed: " + said
        if "out of memory" in err:
            return "took all memory: " + said
        if child.returncode:
            return None if self.is_named(err) else "failed, but does not name the option: " + said
        if (self.name, self.value) == ("oformat", "csv"):   # tables of aggregations and nothing else
            return None if "n,key,1,1" in out else "did not print the table: " + said
        if "42" not in out or ("41" not in out and "speculati" not in err):
            return "did not do what the program says: " + said
        return None

    def is_named(self, err):
        known = ANSWERS.get(self.name)
        return self.name in err or (known is not None and known in err)


def cases(dtrace):
    listed = subprocess.run([dtrace, "-x", "help"], capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines()]
    if len(names) < 50:
        sys.exit(f"dtrace -x help lists only {len(names)} options")
    for name in names:
        for value in values():
            yield Case(name, value, "-x")
        for value in SOME:
            for way in ("pragma", "setopt", "environment"):
                yield Case(name, value, way)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtrace", default=os.path.join(HERE, "../../build/dtrace"))
    parser.add_argument("--cases", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sanitized", action="store_true", help="the build has sanitizers: no limit of address space")
    parser.add_argument("--only", default="", help="options whose name contains this")
    options = parser.parse_args()
    options.dtrace = os.path.abspath(options.dtrace)
    todo = [case for case in cases(options.dtrace) if options.only in case.name]
    if options.cases and options.cases < len(todo):
        todo = random.Random(options.seed).sample(todo, options.cases)
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, problem in zip(todo, pool.map(lambda case: case.problem(options.dtrace, options.sanitized), todo)):
            if problem:
                failed += 1
                print(f"FAIL {case}: {problem}\n", flush=True)
            else:
                passed += 1
    resident = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
    if resident > MOST_RESIDENT and not options.sanitized:
        failed += 1
        print(f"FAIL some run took {resident >> 20} MB of memory")
    print(f"options: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
