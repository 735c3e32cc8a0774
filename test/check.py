#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everything that is checked, from nothing: what `make check` runs as root.

    check.py [--only STAGE,...] [--kernels 6.1,6.18] [--whole] [--strict]

Stages: build, rooms, format, clang, install, sanitized, mutate, page, fetch, unit, golden, demo,
differential, soak, leftover, sanitize, fuzz, guests.  Each prints its own closing line
`stage: N passed, N failed, N skipped`; the last line adds them up.  A stage that cannot run counts
as failed.  Stages that wait run beside stages that compute (ROUNDS): two CPUs are always busy.
What failed or was unsteady (run.py) is told once more at the end, where the end
of a log is all that is at hand.

A golden test that failed beside others and passed twice alone is unsteady: a defect
to be found, but not a reason to turn a change away that has nothing to do with it.
Those of unsteady.txt are borne, each for its reason, and OTHERS more; none is with
--strict (`make check STRICT=1`).  All of them are named at the end.

Golden tests run on this kernel, but for those of `make check-long`; the sanitized build and
the guests leave out what cannot differ there, and all of them say what that was (run.py, --short, --again).
The sanitized build sees the C library's debug package, the others see none.

In guests a test takes ten times as long, so they run a selection.  The oldest kernel has the
strictest verifier and lacks most: there run all tests of the groups OLDEST, and of the other groups every
third test of each chapter.  On a newer kernel run the tests that this kernel skipped (for want of kprobes, say)
and every third test of the groups NEWER.  Tests of slow_in_guests.txt are in neither, unless
this kernel skipped them.  `make check-kernels` runs everything in all of them, and in 6.12 and the newest
kernel of Debian's archive.

A guest keeps its CPUs in one thread of the emulator (guest.py says why), so as
many guests as there are CPUs run side by side; beside other stages it is one.  The suite of a kernel is cut
into up to PARTS, each with a boot of its own, the slower kernel's first: what is left
at the end is short, and a guest that dies takes one part with it.
"""
import argparse, concurrent.futures, fnmatch, glob, os, re, resource, shutil, subprocess, sys, threading, time

import run, surroundings

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
SANITIZE = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
CLOSING = re.compile(r"^(?:[\w./ -]+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?(?:, (\d+) unsteady)?$")


PARTS = 3               # of the golden tests, in each guest
PART_LEAST = 200        # tests that are worth a boot
# Groups of tests in the guests of short runs.  The oldest kernel's verifier is the strictest, and it lacks most.
OLDEST = ["language", "providers", "runtime", "tools"]
NEWER = ["providers", "tools"]
GUEST_TIMEOUT = 2700    # seconds for one part: a hang, not a slow machine
OTHERS = 4              # unsteady tests that are not in unsteady.txt, in all runs of all kernels
RECAP_LINES = 25        # of a failure, at the end
# What the guest's kernel has to say against it, told like a test that is unsteady; keeps the status.
COMPLAINTS = ("status=$?; dmesg | grep -m 1 -A 12 -E 'verifier bug|WARNING: |BUG: ' | "
              "sed '1s/^/UNSTEADY kernel, which complains: /'; exit $status")
SETTLED = "test/surroundings.py"        # commands that are not harnesses themselves start with this
NETWORK = re.compile(r"(?i)(https?|ftp|all|no)_proxy|SSL_CERT_(FILE|DIR)")
one_at_a_time = threading.Lock()


class Lane(threading.local):
    prefix = ""


lane = Lane()
is_left_alone = threading.Event()       # one lane of the round is left
has_golden = threading.Event()          # golden tests have run on this kernel, or are not wanted
# Lanes of stages that run beside each other: what waits (for browsers, a network, traced programs) beside what computes.
ROUNDS = [["build"], ["rooms format clang install sanitized mutate", "page", "fetch"],
          ["unit golden demo differential soak leftover sanitize fuzz", "guests"]]
skipped_here = []       # golden tests that this kernel could not run
recap = []              # (stage or guest, lines) of what failed or was unsteady
unsteady = []           # names of golden tests that failed and then passed


def say(*lines):
    """A stage that runs beside others says whose words these are."""
    with one_at_a_time:
        print("".join(lane.prefix + line + "\n" for line in lines), end="", flush=True)


def sh(*command, timeout=1800, prefix=""):
    """Run, echo the output as it comes, return (status, lines)."""
    process = subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        say("  " + prefix + lines[-1])
    return process.wait(timeout), lines


def told(lines):
    """The runner's accounts of tests that failed or were unsteady, each a list of lines."""
    accounts, current = [], None
    for line in lines:
        if re.match(r"(FAIL|UNSTEADY) ", line):
            current = [line]
            accounts.append(current)
        elif re.match(r"(PASS|SKIP) |left out: | *\d+\.\d s  ", line) or CLOSING.match(line.strip()):
            current = None
        elif current is not None:
            current.append(line)
    return accounts


def reasons(which):
    """{test: reason} of such a file; a line without a reason, or about a test that is not there, is an error."""
    known = {}
    tests = {run.test_name(path) for path in run.find_tests()}
    with open(f"{HERE}/{which}") as file:
        for line in file:
            name, _, reason = line.strip().partition(": ")
            if not name or name.startswith("#"):
                continue
            if name not in tests or not reason:
                sys.exit(f"test/{which}: {line.strip()}: a line is chapter/name.sh: reason")
            known[name] = reason
    return known


def known_unsteady():
    return reasons("unsteady.txt")


def unsteady_names(lines, count):
    """Which tests a runner counted as unsteady; firings that the kernel skipped are not among them."""
    names = [match[1] for account in told(lines) if (match := re.match(r"UNSTEADY (\S+\.(?:sh|d)):", account[0])) and
             not run.SKIPPED.search("\n".join(account))]
    return (names + ["one without a name"] * count)[:count]


def quiet(*command, env=None):
    """Run; show the output only when it fails."""
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, errors="replace", env=env)
    if done.returncode:
        said = done.stdout + done.stderr
        say(*said.splitlines())
        recap.append((command[0], [f"{' '.join(command)} ended with status {done.returncode}; its last lines are:",
                                   *said.splitlines()[-RECAP_LINES + 1:]]))
    return done.returncode


def verdict(good):
    return (1, 0, 0) if good else (0, 1, 0)


def counted(status, lines, name=""):
    """The numbers of a runner's closing line; no such line is a failure."""
    recap.extend((name, account) for account in told(lines))
    for line in reversed(lines):
        match = CLOSING.match(line.strip())
        if match:
            passed, failed, skipped, shaky = (int(n or 0) for n in match.groups())
            with one_at_a_time:
                unsteady.extend(unsteady_names(lines, shaky))
            return passed + shaky, failed or (1 if status and not shaky else 0), skipped
    recap.append((name, ["no closing line; the last ones are:", *lines[-RECAP_LINES:]]))
    return 0, 1, 0


def make(*arguments):
    return quiet("make", "-s", "-j2", *arguments)


def build():
    return verdict(make("CFLAGS=-O2 -g -Werror", "all", "unit-tests", "triggers", "build/differential", "node-provider", "python-usdt", "page-tests") == 0)


def rooms():
    return [sum(column) for column in zip(*(verdict(quiet(check) == 0) for check in (
        "tools/rooms.py", "tools/names.py", "tools/machine.py", "tools/paths.py")))]


def c_format():
    """Sources are as `make format` writes them."""
    return verdict(quiet("tools/format.py", "--check") == 0)


def run_unit(program, env):
    """(passed, failed, skipped) of one program; shows what is not as it should be."""
    done = subprocess.run([SETTLED, *env, program], cwd=TOP, capture_output=True, text=True, errors="replace", timeout=600,
                          start_new_session=True)
    name, text = os.path.relpath(program, TOP), done.stdout + done.stderr
    passed, failed, skipped = (sum(int(n) for n in re.findall(rf"\[ *{word} *\] (\d+) test", text))
                               for word in ("PASSED", "FAILED", "SKIPPED"))
    if not failed and (done.returncode or not passed + skipped):
        failed = 1
    if done.returncode:
        recap.append(("unit", [f"{name} ended with status {done.returncode}", *text.splitlines()[-RECAP_LINES:]]))
    if failed or skipped:
        say(f"{name} (status {done.returncode}):", *text.splitlines())
    return passed, failed, skipped


def unit(tree="build", *env):
    programs = sorted(glob.glob(f"{TOP}/{tree}/unit/**/*_test", recursive=True))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda program: run_unit(program, env), programs)) or [(0, 1, 0)]
    return tuple(map(sum, zip(*results)))


def page(whole):
    """Pages for browsers: types, models in node, the pages themselves in chromium."""
    results = [verdict(quiet("tsc", "-p", "page") == 0), verdict(make("all", "triggers", "page-tests") == 0)]
    programs = sorted(glob.glob(f"{TOP}/build/page/*/*_test.js"))
    for command in [*(["node", program] for program in programs), *([test, *([] if whole else ["--short"])] for test in sorted(glob.glob(f"{HERE}/page/*_test.py")))]:
        results.append(counted(*sh(SETTLED, *command), "page"))
    return tuple(map(sum, zip(*results)))


def golden(tree="build", name="golden", *options):
    status, lines = sh("test/run.py", "--dtrace", f"{tree}/dtrace", "--name", name, "--short", "--slow", "5", *options)
    if name == "golden":
        skipped_here.extend(match[1] for line in lines if (match := re.match(r"SKIP (\S+):", line)))
    return counted(status, lines, name)


def demo():
    """The tour runs to its end."""
    return verdict(quiet(SETTLED, "doc/demo.sh", "build/dtrace") == 0)


def differential():
    return counted(*sh("test/differential/differential.py", "--programs", "500"), "differential")


def soak():
    """Short; `make soak` takes its time."""
    return counted(*sh("test/soak.py", "--seconds", "15"), "soak")


def running():
    """Processes whose program is one of this tree's."""
    for link in glob.glob("/proc/[0-9]*/exe"):
        try:
            program = os.readlink(link)
        except OSError:
            continue
        if program.startswith(f"{TOP}/build/") and not program.startswith(f"{TOP}/build/guests/"):
            yield f"{link.split('/')[2]} ({os.path.basename(program)})"


def leftover():
    """After all these runs no dtrace of this tree stays behind (and with it, nothing in the kernel)."""
    here = sorted(running())
    deadline = time.monotonic() + 20        # the last ones may be about to end
    while here and time.monotonic() < deadline:
        time.sleep(0.5)
        here = sorted(running())
    if here:
        recap.append(("leftover", ["processes left behind: " + " ".join(here)]))
    return verdict(not here)


def clang():
    return verdict(make("BUILD=build/clang", "CC=clang", "CFLAGS=-O2 -g -Werror", "all") == 0)


def sanitizers(*targets):
    return make("BUILD=build/sanitize", f"CFLAGS={SANITIZE}", f"LDFLAGS={SANITIZE}", *targets)


def sanitized():
    return verdict(sanitizers("all", "unit-tests") == 0)


def sanitize():
    env = ["ASAN_OPTIONS=detect_leaks=1:abort_on_error=0", "UBSAN_OPTIONS=print_stacktrace=1"]
    if sanitizers("all", "unit-tests"):
        return verdict(False)
    units = unit("build/sanitize", *env)
    goldens = golden("build/sanitize", "sanitized-golden", "--again", "build", "--debug-files", "libc",
                     *(f"--env={setting}" for setting in env))
    return tuple(a + b for a, b in zip(units, goldens))


def mutate():
    """A few damaged object files in front of every command that reads them; `make mutate` has many."""
    if sanitizers("build/sanitize/dtrace"):
        return verdict(False)
    return counted(*sh("test/fuzz/mutate/mutate.py", "--dtrace", "build/sanitize/dtrace", "--files", "30"), "mutate")


def fuzz():
    """Short, and the same inputs every time: what they find is found before a change is handed in."""
    texts = verdict(make("fuzz", "SECONDS=40", "FUZZ_SEED=1") == 0)
    options = [counted(*sh("test/fuzz/options.py", "--cases", "200"), "options")]
    # of the stage before, if that was wanted
    if os.path.exists(f"{TOP}/build/sanitize/dtrace"):
        options.append(counted(*sh("test/fuzz/options.py", "--dtrace", "build/sanitize/dtrace", "--sanitized",
                                   "--cases", "40"), "options"))
    return tuple(map(sum, zip(texts, *options)))


def alternatives():
    """{path in a Debian package: name that it answers to} (debian/*.alternatives)."""
    for path in sorted(glob.glob(f"{TOP}/debian/*.alternatives")):
        with open(path) as file:
            text = file.read()
        yield from re.findall(r"(?m)^Link: /(\S+)\nAlternative: /(\S+)", text)
        yield from re.findall(r"(?m)^ /(\S+)\.gz \S+ /(\S+)\.gz", text)


def debian_files():
    """Patterns of debian/*.install, under the names of `make install`."""
    plain = {alternative: link for link, alternative in alternatives()}
    for lists in sorted(glob.glob(f"{TOP}/debian/*.install")):
        text = subprocess.check_output([lists], cwd=TOP, text=True) if os.access(lists, os.X_OK) else open(lists).read()
        yield from (plain.get(line, line).replace("usr/lib/*/", "usr/lib/") for line in text.split())
    for script in glob.glob(f"{TOP}/debian/*.postinst"):
        with open(script) as file:
            yield from re.findall(r"update-alternatives .*--install /(\S+)", file.read())


def rpm_files():
    """Patterns of %files in packaging/dtrace.spec, and of the list that it makes of toolkit/."""
    macros = {"_prefix": "usr", "_bindir": "usr/bin", "_libdir": "usr/lib", "_includedir": "usr/include",
              "_datadir": "usr/share", "_mandir": "usr/share/man"}
    with open(f"{TOP}/packaging/dtrace.spec") as file:
        for line in file.read().split("\n%files", 1)[1].splitlines():
            if match := re.match(r"%\{(\w+)\}(/\S+)$", line):
                yield macros[match[1]] + match[2]
    for script in os.listdir(f"{TOP}/toolkit"):
        yield from (f"usr/sbin/{script}", f"usr/share/man/man8/{script}.8*", f"usr/share/bash-completion/completions/{script}",
                    f"usr/share/fish/vendor_completions.d/{script}.fish")


def packages_differ(where):
    """What `make install` has and no package, and the other way round."""
    there = {os.path.relpath(os.path.join(directory, name), where) for directory, _, names in os.walk(where) for name in names
             if not directory.startswith(f"{where}/own")}

    def has(pattern, path):
        return fnmatch.fnmatchcase(path, pattern) or path.startswith(pattern + "/")

    for kind, wanted in (("Debian", list(debian_files())), ("RPM", list(rpm_files()))):
        yield from (f"no {kind} package has {path}" for path in sorted(there) if not any(has(pattern, path) for pattern in wanted))
        yield from (f"{kind} packages want {pattern}" for pattern in wanted if not any(has(pattern, path) for path in there))


def tools_lack(where):
    """Commands without a manual page, or without completion in a shell."""
    share = f"{where}/usr/share"
    with open(f"{share}/zsh/vendor-completions/_dtrace") as file:
        zsh = file.readline().split()
    for name in sorted(os.listdir(f"{where}/usr/sbin") + os.listdir(f"{where}/usr/bin")):
        lacks = {"manual page": glob.glob(f"{share}/man/man*/{name}.[18]"),
                 "completion in bash": os.path.exists(f"{share}/bash-completion/completions/{name}"),
                 "completion in fish": os.path.exists(f"{share}/fish/vendor_completions.d/{name}.fish"),
                 "completion in zsh": name in zsh[1:]}
        yield from (f"{name} has no {what}" for what, is_there in lacks.items() if not is_there)


def versions_differ():
    """The version is in three places."""
    with open(f"{TOP}/src/api/handle.c") as source, open(f"{TOP}/debian/changelog") as debian, open(f"{TOP}/packaging/dtrace.spec") as rpm:
        versions = (re.search(r'package_version_ext\[\] = "(.*)"', source.read())[1], re.search(r"\((.*)\)", debian.readline())[1],
                    re.search(r"(?m)^Version: +(\S+)", rpm.read())[1])
    return [] if len(set(versions)) == 1 else ["src/api/handle.c, debian/changelog and packaging/dtrace.spec have the versions " +
                                               ", ".join(versions)]


def install():
    where = f"{TOP}/build/install"
    shutil.rmtree(where, ignore_errors=True)
    good = make("install", f"DESTDIR={where}", "PREFIX=/usr") == 0
    for difference in [*packages_differ(where), *tools_lack(where), *versions_differ()]:
        say(difference)
        good = False
    for path in ["usr/sbin/dtrace", "usr/lib/libdtrace.a", "usr/lib/libdtrace.so", "usr/lib/pkgconfig/dtrace.pc",
                 "usr/include/dtrace.h", "usr/include/sys/sdt.h", "usr/bin/dtrace",
                 "usr/share/man/man8/dtrace.8"]:
        if not os.path.exists(f"{where}/{path}"):
            say(f"make install left out {path}")
            good = False
    # The installed binary needs nothing else.
    good = good and quiet(SETTLED, "env", "--chdir=/", f"{where}/usr/sbin/dtrace", "-qn", "BEGIN { exit(0); }") == 0
    # A consumer needs only pkg-config, even in a directory that is not searched by default.
    good = good and quiet(SETTLED, "test/installed.sh", where, "/usr") == 0
    good = good and make("uninstall", f"DESTDIR={where}", "PREFIX=/usr") == 0
    for directory, _, names in os.walk(where):
        for name in names:
            say(f"make uninstall leaves {directory}/{name}")
            good = False
    own = f"{TOP}/build/install/own"
    good = good and make("install", f"PREFIX={own}", f"LIBDIR={own}/lib64") == 0
    good = good and quiet(SETTLED, "test/installed.sh", "", own) == 0
    return verdict(good)


def oldest_first(kernels):
    return sorted(kernels, key=lambda series: [int(n) if n.isdigit() else 99 for n in series.split(".")])


def third(tests):
    """Every third test of each chapter, from its first on."""
    by_chapter = {}
    for test in sorted(tests):
        by_chapter.setdefault(os.path.dirname(test), []).append(test)
    return {test for some in by_chapter.values() for test in some[::3]}


def guest_tests(series, is_oldest):
    """What a short run does in the guest of a kernel; says what it does not."""
    tests = [test for test in run.find_tests() if not run.why_left_out(test, "kernel", True)]
    only_there = {test for test in tests if run.test_name(test) in skipped_here}
    slow = reasons("slow_in_guests.txt")
    short = [test for test in tests if run.test_name(test) not in slow]
    whole = {test for test in short if is_oldest and os.path.relpath(test, HERE).split(os.sep)[0] in OLDEST}
    sampled = {test for test in short if is_oldest or os.path.relpath(test, HERE).split(os.sep)[0] in NEWER}
    chosen = sorted(whole | third(sampled - whole) | (set() if is_oldest else only_there))
    said = (f"all of {', '.join(OLDEST)} but {len(tests) - len(short)} of slow_in_guests.txt, every third of the others" if is_oldest else
            f"{len(only_there)} that this kernel skipped, every third of {', '.join(NEWER)} but for slow_in_guests.txt")
    say(f"  [{series}] left out: {len(tests) - len(chosen)} of {len(tests)} tests (for make check-kernels); it runs {said}")
    return chosen


def guest_parts(series, parts, options):
    """(name, command) of everything that runs in the guest of a kernel."""
    for part in range(1, parts + 1):
        name = f"{series} {part}/{parts}"
        yield name, f"test/run.py --name '{name}' --timeout 480 --jobs 2 --again kernel {options} --slow 5 --part {part}/{parts}; {COMPLAINTS}"
    yield f"{series} unit", (f"{SETTLED} sh -c 'failed=0; for t in build/unit/bpf/*_test; do $t > /tmp/said 2>&1 || "
                             "{ echo $t; cat /tmp/said; failed=$((failed + 1)); }; done; "
                             "[ $failed = 0 ] && echo 1 passed, 0 failed || echo 0 passed, $failed failed'")
    yield f"{series} random", "test/differential/differential.py --programs 100"


def guest(series, name, command):
    """One boot; its numbers.  Their sum is zero only if nothing ran, which is a failure."""
    start = time.time()
    status, lines = sh("test/guest.py", "run", "--threads", "single", "--timeout", str(GUEST_TIMEOUT),
                       f"build/guests/{series}", f"cd {TOP} && uname -r && {command}", prefix=f"[{name}] ")
    say(f"  [{name}] took {time.time() - start:.0f} s")
    return counted(status, lines, name)


def fetch(kernels, network):
    """The guests' kernels, and the emulator; they stay in build/guests."""
    return tuple(map(sum, zip(*(verdict(quiet("test/guest.py", "fetch", series, f"build/guests/{series}",
                                              env=dict(os.environ, **network)) == 0) for series in kernels))))


def guest_work(kernels, whole):
    """What the guests do, piece by piece: the oldest kernel is the slowest.  What the others
    do depends on what this kernel skipped."""
    for series in oldest_first(kernels):
        is_oldest, options, parts = series == oldest_first(kernels)[0], "", PARTS
        if not whole:
            if not is_oldest:
                has_golden.wait()
            options = f"--list build/guests/{series}.tests"
            chosen = guest_tests(series, is_oldest)
            parts = min(PARTS, 1 + len(chosen) // PART_LEAST)
            with open(f"{TOP}/build/guests/{series}.tests", "w") as file:
                file.write("".join(run.test_name(test) + "\n" for test in chosen))
        for name, command in guest_parts(series, parts, options):
            yield series, name, command


def guests(kernels, whole):
    """Beside other lanes one guest at a time, with what they leave of the CPUs."""
    work, next_one, results, prefix = guest_work(kernels, whole), threading.Lock(), [], lane.prefix

    def worker(number):
        lane.prefix = prefix
        if number:
            is_left_alone.wait()
        while True:
            with next_one:
                piece = next(work, None)
            if not piece:
                return
            results.append(guest(*piece))

    with concurrent.futures.ThreadPoolExecutor(min(os.cpu_count(), 4)) as pool:
        for done in [pool.submit(worker, number) for number in range(min(os.cpu_count(), 4))]:
            done.result()
    return tuple(map(sum, zip(*results)))


def run_stage(name, stage):
    say(f"== {name}")
    start = time.time()
    result = stage()
    say(f"{name}: {result[0]} passed, {result[1]} failed, {result[2]} skipped", f"   ({time.time() - start:.0f} s)")
    if result[1]:
        recap.append((name, [f"{result[1]} failed"]))
    return result


def run_round(lanes, stages):
    """What the stages of all lanes counted; the lanes run beside each other."""
    busy = [names for names in lanes if names]
    results, count = [], len(busy)
    is_left_alone.clear()

    def run_lane(names):
        try:
            for name in names:
                lane.prefix = f"[{name}] " if count > 1 else ""
                results.append(run_stage(name, stages[name]))
                if name == "golden":
                    has_golden.set()
        finally:
            busy.remove(names)
            if len(busy) <= 1:
                is_left_alone.set()
            if "golden" in names:
                has_golden.set()

    if count == 1:
        is_left_alone.set()
    with concurrent.futures.ThreadPoolExecutor(max(count, 1)) as pool:
        for done in [pool.submit(run_lane, names) for names in list(busy)]:
            done.result()
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--kernels", default="6.1,6.18")
    parser.add_argument("--whole", action="store_true", help="all golden tests in all guests, all cases in browsers")
    parser.add_argument("--strict", action="store_true", help="an unsteady test is a failure")
    options = parser.parse_args()
    network = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
    surroundings.settle(starts="harnesses")
    known = known_unsteady()
    kernels = options.kernels.split(",")
    stages = {"build": build, "rooms": rooms, "format": c_format, "unit": unit, "page": lambda: page(options.whole), "golden": golden, "demo": demo,
              "differential": differential, "soak": soak, "leftover": leftover, "clang": clang, "install": install,
              "sanitized": sanitized, "sanitize": sanitize, "mutate": mutate, "fuzz": fuzz,
              "fetch": lambda: fetch(kernels, network), "guests": lambda: guests(kernels, options.whole)}
    wanted = options.only.split(",") if options.only else list(stages)
    if "guests" in wanted:
        wanted.append("fetch")
    if "golden" not in wanted:
        has_golden.set()
    unknown = set(wanted) - set(stages)
    if unknown:
        sys.exit(f"check.py: no stage is called {', '.join(sorted(unknown))}")
    start, total = time.time(), [0, 0, 0]
    for lanes in ROUNDS:
        for result in run_round([[name for name in names.split() if name in wanted] for names in lanes], stages):
            total = [a + b for a, b in zip(total, result)]
        if "build" in lanes and total[1]:
            break
    for name, account in recap:
        print(f"-- {name}: " + "\n   ".join(account[:RECAP_LINES]), flush=True)
    others = [name for name in unsteady if name not in known]
    for name in sorted(unsteady):
        print(f"unsteady: {name}: {known.get(name, 'why is not known, it is not in test/unsteady.txt')}", flush=True)
    said = f", {len(unsteady)} of those passed only when run again" if unsteady else ""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"all of it took {time.time() - start:.0f} s, and {used.ru_utime + used.ru_stime:.0f} s of CPU", flush=True)
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped{said}", flush=True)
    if len(others) > OTHERS or (options.strict and unsteady):
        print(f"{len(unsteady)} unsteady tests are too many", flush=True)
        return 1
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
