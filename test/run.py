#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden tests: run the real dtrace on the real kernel and compare what it prints.

    run.py [--dtrace PATH] [--jobs N] [--name WORD] [--again build|kernel] [--short|--long] [--slow N]
           [--part N/M] [--list FILE] [--debug-files none|libc] [--env NAME=VALUE] [TEST...]

A test is a file test/<group>/<chapter>/<name>.d or .sh.  Its name is chapter/name; which
group has the chapter is for people (README.md has the table).  TEST is part of a name, or
of a name behind its group: `print`, `output/print`, `command`, `command/output/print` ...

Beside a test is what it must print:

    name.out    standard output, exactly (absent: must be empty)
    name.err    standard error, exactly (absent: must be empty, unless @stderr: any)

The first lines of a .d file may hold directives in comments:

    @flags: -q -x strsize=16    options for dtrace            (default: -q)
    @args: 1 "two words"        operands, as a shell splits them
    @status: 1                  exit status                   (default: 0)
    @env: TZ=UTC                environment, more than one allowed
    @filter: pointer time       what to mask before comparing (see FILTERS)
    @needs: btf kprobes         skip, saying so, where the kernel lacks it
    @stderr: any                do not compare standard error
    @timeout: 300               seconds, where the usual limit is too short
    @once: it is long           not with --again, and why
    @anykernel: no probe fires  not with --again kernel, and why
    @release: it takes 100 s    not with --short, and why

A .sh test runs with $dtrace set, in a scratch directory.  $test is the test's own
directory, $suite that of all tests (. "$suite/lib.sh"), $triggers that of the built
test programs.  Its output is compared the same way; exit status 77 with a last line
of text is a skip.

A test whose name begins with an error tag must fail with that tag.

What tests find around them does not depend on who starts them (surroundings.py).
Their HOME is a scratch directory, too.  They see no debug packages, or with
--debug-files libc that of the C library; they must print the same with both.

The whole suite runs once on this kernel.  Runs with another build (--again
build) leave out tests marked @once; runs on another kernel (--again kernel)
also what no kernel gets to see: @anykernel, and programs that the compiler
refuses.  How many that are, and why, is printed.  What remains finds $again
set, and may do less of the same where an emulated machine would take minutes.
With --short (make check) @release is left out, too; --long (make check-long) runs that
and nothing else.

Tests run beside each other.  One that fails is run again, with nothing beside it,
until it has failed or passed twice more.  Where it passes it is UNSTEADY: it is
named with what it printed, because it either depends on a time or shows a fault that
comes rarely, and is a defect to be found.  It is counted as unsteady, and makes this
run fail; check.py bears a few.  More than FEW failures are not looked at twice.

A kernel may skip firings: those of a thread that it runs while another is inside
of the probe's program, say.  dtrace tells that at the end.  In a guest, whose CPUs are
slow and few, they are often those of other processes: if everything else is as it should
be, the test passes.  If not, what it printed shows little: it is told as UNSTEADY and run
again at once, a few times.  Here the kernel is the reason, so the run does not fail for it.

The closing line is `N passed, N failed, N skipped`, and `, N unsteady` where there are.
"""
import argparse, collections, concurrent.futures, difflib, os, re, resource, shlex, signal, subprocess, sys, tempfile, time

import surroundings

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)

HELPERS = ("differential", "fuzz", "triggers")      # directories without golden tests
FEW = 12
SKIPPED = re.compile(r"drops? of \w+ probes that fired while their program ran on that CPU")
SKIPPED_RUNS = 5

FILTERS = {
    "pointer": (r"0x[0-9a-f]{6,16}|\bffff[0-9a-f]{12}\b", "{ptr}"),
    "time": (r"\b\d{12,19}\b", "{time}"),
    "pc": (r"at BPF pc \d+", "at BPF pc NNN"),
    "id": (r"\bID \d+\b", "ID {id}"),
    "cpu": (r"(?m)^( {0,2}\d+)(?= +\d+ )", "{cpu}"),
}


def without_skipped(text):
    """What a test printed in a guest, without the lines that tell of skipped firings."""
    if not os.environ.get("DTRACE_TEST_GUEST"):
        return text
    return "".join(line for line in text.splitlines(True) if not SKIPPED.search(line))


def kernel_has(what):
    """Why this kernel cannot run a test that needs `what`, or None."""
    if what == "btf":
        return None if os.path.exists("/sys/kernel/btf/vmlinux") else "no /sys/kernel/btf/vmlinux"
    if what == "root":
        return None if os.geteuid() == 0 else "not root"
    if what == "two-cpus":
        return None if os.cpu_count() > 1 else "only one CPU"
    return f"unknown requirement {what!r}"


def directives(path):
    found = {"flags": "-q", "args": "", "status": "0", "env": [], "filter": "", "needs": "", "stderr": "", "timeout": "0",
             "once": "", "anykernel": "", "release": ""}
    with open(path, encoding="utf-8", errors="replace") as script:
        for line in list(script)[:12]:
            match = re.search(r"@(\w+):\s*(.*?)\s*(\*/)?\s*$", line)
            if match and match[1] in found:
                if isinstance(found[match[1]], list):
                    found[match[1]].append(match[2])
                else:
                    found[match[1]] = match[2]
    return found


def expected(path):
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def difference(name, want, got):
    return "".join(line if line.endswith("\n") else line + "\n\\ no newline at the end\n" for line in difflib.unified_diff(
        want.splitlines(True), got.splitlines(True), name + " expected", name + " printed"))


class Running:
    """The sessions of tests, which end with this program."""
    pids, is_over = set(), False

    @classmethod
    def begin(cls, pid):
        cls.pids.add(pid)
        if cls.is_over:
            kill_session(pid)

    @classmethod
    def stop(cls, number, _):
        cls.is_over = True
        for pid in list(cls.pids):
            kill_session(pid)
        sys.exit(128 + number)


def kill_session(pid, number=signal.SIGKILL):
    try:
        os.killpg(pid, number)      # with all that the test has started
    except ProcessLookupError:
        pass


def end_session(pid):
    """The same, politely: what the test runs may have sessions of its own to end."""
    kill_session(pid, signal.SIGTERM)
    time.sleep(1)
    kill_session(pid)


def run_test(path, options):
    """(verdict, details): verdict is pass, fail or skip."""
    for _ in range(SKIPPED_RUNS):
        verdict, details = run_once(path, options)
        if verdict != "fail" or not SKIPPED.search(details):
            break
        print(f"UNSTEADY {details}", flush=True)
    return verdict, details


def run_once(path, options):
    stem, kind = os.path.splitext(path)
    name = test_name(path)
    said = directives(path)
    if Running.is_over:
        return "skip", f"{name}: interrupted"
    for need in said["needs"].split():
        reason = kernel_has(need)
        if reason:
            return "skip", f"{name}: {reason}"
    env = dict(os.environ, dtrace=options.dtrace, test=os.path.dirname(path), suite=HERE, triggers=options.triggers,
               _DTRACE_TESTING="1", again=options.again or "")
    env.update(item.split("=", 1) for item in options.env + said["env"])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:     # a killed test may leave a mount there
        if kind == ".sh":
            command, where = ["bash", path], scratch
        else:
            command = [options.dtrace, *shlex.split(said["flags"]), "-s", os.path.basename(path), *shlex.split(said["args"])]
            where = os.path.dirname(path)
        env["HOME"] = scratch
        limit = options.limit or max(options.timeout, int(said["timeout"]))
        test = subprocess.Popen(command, cwd=where, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True)
        Running.begin(test.pid)
        try:
            streams = test.communicate(timeout=limit)
        except subprocess.TimeoutExpired as late:
            end_session(test.pid)
            test.wait()
            seen = (late.stdout or b"") + (late.stderr or b"")
            return "fail", f"{name}: not done after {limit} s\n{seen.decode(errors='replace')}"
        finally:
            Running.pids.discard(test.pid)
    out, err = (stream.decode("utf-8", "surrogateescape") for stream in streams)
    if kind == ".sh" and test.returncode == 77:
        return "skip", f"{name}: {(out + err).strip().splitlines()[-1:] or ['no reason given']}"
    for word in said["filter"].split():
        out, err = (re.sub(*FILTERS[word], text) for text in (out, err))
    if options.accept:
        for text, suffix in ((out, ".out"), (err, ".err")):
            if text and not (suffix == ".err" and said["stderr"] == "any"):
                with open(stem + suffix, "w", encoding="utf-8", errors="surrogateescape") as file:
                    file.write(text)
            elif os.path.exists(stem + suffix):
                os.remove(stem + suffix)
    problems = []
    tag = re.match(r"D_\w+", os.path.basename(path))
    if tag and f"[{tag[0]}]" not in err:
        problems.append(f"the error is not tagged [{tag[0]}]\n")
    if test.returncode != int(said["status"]):
        problems.append(f"exit status {test.returncode}, expected {said['status']}\n")
    for what, suffix, text in (("output", ".out", out), ("error", ".err", err)):
        wanted = expected(stem + suffix)
        if without_skipped(text) != wanted and not (suffix == ".err" and said["stderr"] == "any"):
            problems.append(difference(what, wanted, text))
    problems = [p for p in problems if p]
    if problems:
        kill_session(test.pid)      # a tracer that it left behind is not to disturb others
        if said["stderr"] == "any" and err:
            problems.append("standard error was:\n" + err)
        return "fail", f"{name}:\n" + "".join(problems)
    return "pass", name


def passes_alone(test, options):
    verdicts = collections.Counter()
    while max(verdicts.values(), default=0) < 2:
        verdicts[run_test(test, options)[0]] += 1
    return verdicts["pass"] == 2


def test_name(path):
    """chapter/name.sh: without the group."""
    return os.path.relpath(path, HERE).split(os.sep, 1)[1]


def tests_in(directory):
    return [os.path.join(directory, f) for f in sorted(os.listdir(directory)) if f.endswith((".d", ".sh"))]


def directories_in(directory):
    return [entry.path for entry in sorted(os.scandir(directory), key=lambda entry: entry.name)
            if entry.is_dir() and entry.name != "__pycache__"]


def find_tests(words=()):
    """Tests in the order of their names; a chapter that is nobody's or two groups' is an error."""
    chapters = {}
    for group in directories_in(HERE):
        if os.path.basename(group) in HELPERS:
            continue
        if tests_in(group):
            sys.exit(f"{group}: a chapter belongs in a group (README.md)")
        for chapter in directories_in(group):
            name = os.path.basename(chapter)
            if name in chapters:
                sys.exit(f"{chapter}: there is {chapters[name]}, too")
            chapters[name] = chapter
    tests = [test for name in sorted(chapters) for test in tests_in(chapters[name])]
    if words:
        tests = [t for t in tests if any(w in os.path.relpath(t, HERE) for w in words)]
    return tests


def why_left_out(path, again, short):
    """Why a repetition of the suite does without this test, or None."""
    said = directives(path)
    if again and said["once"]:
        return said["once"]
    if again == "kernel" and said["anykernel"]:
        return said["anykernel"]
    if again == "kernel" and re.match(r"D_\w+", os.path.basename(path)):
        return "the compiler refuses the program, no kernel sees it"
    if short and said["release"]:
        return "for make check-long: " + said["release"]
    return None


def select(tests, again, short=False):
    """The tests of this run; says what is not among them."""
    reasons = collections.Counter(why_left_out(test, again, short) for test in tests)
    for reason, count in sorted((r, c) for r, c in reasons.items() if r):
        print(f"left out: {count} test{'s' * (count != 1)} ({reason})", flush=True)
    return [test for test in tests if not why_left_out(test, again, short)]


def is_long(test):
    return directives(test)["release"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtrace", default=os.path.join(TOP, "build/dtrace"))
    parser.add_argument("--triggers", default=os.path.join(TOP, "build/triggers"))
    parser.add_argument("--jobs", type=int, default=min(2 * os.cpu_count(), 8), help="tests side by side; they mostly wait")
    parser.add_argument("--timeout", type=int, default=240, help="seconds after which a test hangs, however slow the machine")
    parser.add_argument("--limit", type=int, default=0, help="seconds after which any test is ended, whatever it asks for")
    parser.add_argument("--name", default="", help="word before the closing line")
    parser.add_argument("--accept", action="store_true", help="write what was printed as what is expected")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--again", choices=["build", "kernel"], help="what differs from the run of the whole suite")
    parser.add_argument("--short", action="store_true", help="without what is only run before a release")
    parser.add_argument("--long", action="store_true", help="only what --short leaves out of every run")
    parser.add_argument("--part", default="1/1", help="every Mth test, from the Nth on")
    parser.add_argument("--list", help="a file with names of tests, chapter/name.sh: only these")
    parser.add_argument("--slow", type=int, default=0, help="say which N tests took longest")
    parser.add_argument("--debug-files", choices=["none", "libc"], default="none", help="debug packages that tests see")
    parser.add_argument("--env", action="append", default=[], help="NAME=VALUE, for all tests")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    surroundings.settle()
    signal.signal(signal.SIGTERM, Running.stop)
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        signal.signal(signal.SIGINT, Running.stop)
    options.dtrace = os.path.abspath(options.dtrace)
    options.triggers = os.path.abspath(options.triggers)
    with tempfile.TemporaryDirectory() as debug_files:
        surroundings.show_debug_files(options.debug_files, debug_files)
        return run_all(options)


def run_all(options):
    count = {"pass": 0, "fail": 0, "skip": 0, "unsteady": 0}
    part, parts = map(int, options.part.split("/"))
    tests = find_tests(options.tests)
    if options.list:
        with open(options.list) as file:
            wanted = set(file.read().split())
        tests = [test for test in tests if test_name(test) in wanted]
    tests = select(tests[part - 1::parts], options.again, options.short)
    if options.long:
        tests = list(filter(is_long, tests))
    times = {}

    def timed(test):
        start = time.monotonic()
        result = run_test(test, options)
        times[test] = time.monotonic() - start
        return result

    failures = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for test, (verdict, details) in zip(tests, pool.map(timed, tests)):
            count[verdict] += 1
            if verdict == "fail":
                failures.append((test, details))
            elif verdict != "pass" or options.verbose:
                print(f"{verdict.upper()} {details}", flush=True)
    for test, details in failures:
        if len(failures) <= FEW and len(tests) > 1 and not options.accept and passes_alone(test, options):
            print(f"UNSTEADY {details}", flush=True)
            count["fail"] -= 1
            count["unsteady"] += 1
        else:
            print(f"FAIL {details}", flush=True)
    for test in sorted(times, key=times.get, reverse=True)[:options.slow]:
        print(f"{times[test]:8.1f} s  {test_name(test)}", flush=True)
    if options.slow:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{sum(times.values()):8.1f} s  all of them, one after the other", flush=True)
        print(f"{used.ru_utime + used.ru_stime:8.1f} s  of that on a CPU", flush=True)
    prefix = options.name + ": " if options.name else ""
    unsteady = f", {count['unsteady']} unsteady" if count["unsteady"] else ""
    print(f"{prefix}{count['pass']} passed, {count['fail']} failed, {count['skip']} skipped{unsteady}", flush=True)
    return 1 if count["fail"] or count["unsteady"] or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
