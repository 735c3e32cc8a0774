#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the commands of a document, and compare what they print with the text, in shape.

    guide.py [--dtrace PATH] [--replace OLD=NEW] [--part N/M] [--write] [--only WORD] FILE.md

Commands are in blocks that begin with ```console.  A line that begins with `# ` or `$ ` is
a command; it goes on while a quote is open or the line ends with a backslash.  The lines
up to the next command are what it prints.  A line `^C` is where the reader interrupts it,
`[...]` where lines were left out.  A command that ends with ` &` runs until the end of
the document.  Comments of the page just before a block say more:

    <!-- load: COMMAND -->      runs beside the block's commands, and ends with them
    <!-- beside: COMMAND -->    runs beside all that follows in the section, or in the document
                                if it stands before the first section
    <!-- file: NAME -->         the block is a file; later commands find it
    <!-- match: PATTERN -->     a regular expression that must be found in the output, too
    <!-- status: N -->          exit status, if not 0
    <!-- skip: REASON -->       the block cannot run here
    <!-- keep: N -->            how many lines --write keeps of each output
    <!-- for: N -->             how many seconds pass before ^C when --write runs it

Commands find dtrace, the tools and the scripts of toolkit/ in PATH, and run in a scratch
directory.  Times are shortened (tick-5s, interval:s:5, -d 10) and made longer again if the shape does
not come: nothing here depends on how fast the machine is.

The shape of a line: a heading (words, most of them capitals) and a message of dtrace stand for themselves,
with any numbers; a row of a histogram, a frame of a stack; else its columns, numbers or
words, where three words or more are text.  What the text shows twice must come, and
most of what comes must be of a kind that the text shows.  Pictures (-o FILE) must be there.

--write replaces the outputs in the document by what the commands print now, and the pictures
that it shows by those that were made.
"""
import argparse, os, re, shlex, shutil, signal, subprocess, sys, tempfile, time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMENT = re.compile(r"<!-- (load|beside|file|match|status|skip|keep|for): (.*?) -->\s*$")
PROMPT = re.compile(r"[#$] (.*)")
NUMBER = re.compile(r"[-+<>=(\[]*\d[\d.,:/-]*(?:ns|us|ms|s|%|[KMGT]i?B?|B)?[)\];:,]*$|0x[0-9a-f]+[)\],:]*$")
ROW = re.compile(r"\s*(?:<\s*|>=\s*)?-?\d+\s*(?:\|@*|[-+|@ ]+\|)\s+\d+$")
FRAME = re.compile(r"\s+\S+`\S.*$|\s+0x[0-9a-f]+$|\s+\S.*\([^()\s]+:\d+\)$|\s+StubRoutines \(\d\)$")
CAPITALS = re.compile(r"[A-Z%(][A-Z0-9%()/_.:@-]*$")
DISTRIBUTION = re.compile(r"\s*value  -+ Distribution -+ count$")
PICTURE = re.compile(r"(?:-o |flame=|heatmap=|record=|> )([\w.-]+\.(?:svg|html|folded|json|dtr|txt))\b")
DROPS = re.compile(r"\bdrops?\b")       # a matter of the machine
ATTEMPTS = (0.6, 3, 12)     # seconds
ENOUGH = 65536              # characters at the beginning, and at the end
LAST = 60                   # after which a command that should end has not


class Wrong(Exception):
    pass


def kind(line):
    if ROW.match(line):
        return "row of a histogram"
    if FRAME.match(line):
        return "frame of a stack"
    words = line.split()
    capitals = sum(bool(CAPITALS.match(word)) for word in words)
    is_heading = capitals > 1 and 2 * capitals > len(words) and not any(NUMBER.match(word) for word in words)
    if is_heading or DISTRIBUTION.match(line) or line.startswith("dtrace: "):
        return re.sub(r"\d+", "N", " ".join(words))
    columns = ["9" if NUMBER.match(word) else "a" for word in words]
    return re.sub(r"a a a( a)*", "text", " ".join(columns))


def lines_of(text):
    return [line.rstrip() for line in text.replace("\r", "\n").splitlines()
            if line.strip() and line.strip() not in ("^C", "[...]") and not DROPS.search(line)]


def end_of(text):
    return "\n".join(text.splitlines()[-30:])


def compare(said, printed, whole=True):
    """What is wrong with the output, or None."""
    kinds = [kind(line) for line in lines_of(said)]
    came = [kind(line) for line in lines_of(printed[:ENOUGH] + printed[ENOUGH:][-ENOUGH:])]
    fixed = {k for k in kinds if len(k) > 4 and (k.isupper() or ":" in k or " of a " in k or "---" in k)}
    wanted = fixed | {k for k in kinds if kinds.count(k) > 1} or set(kinds)
    missing = wanted - set(came)
    if missing:
        return f"no line like {sorted(missing)}"
    if whole:
        new = [k for k in came if k.startswith("dtrace: ") and k not in kinds]
        if new:
            return f"the text does not have: {new}"
        if "[...]" not in said and 2 * sum(k in kinds for k in came) < len(came):
            return f"most lines are of other kinds: {sorted(set(came) - set(kinds))}"
    return None


def is_complete(command):
    if command.endswith("\\"):
        return False
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def blocks(text):
    """Of a document: (section, first line, last line, directives, is it a session) of each fenced block."""
    lines, said, section, i = text.splitlines(), [], 0, 0
    while i < len(lines):
        comment, fence = COMMENT.match(lines[i]), re.match(r"(`{3,})(\w*)$", lines[i])
        if comment and comment[1] == "beside":
            yield section, i, i, [(comment[1], comment[2])], False
        elif comment:
            said.append((comment[1], comment[2]))
        elif fence:
            end = i + 1
            while lines[end] != fence[1]:
                end += 1
            yield section, i + 1, end, said, fence[2] == "console"
            said, i = [], end
        elif lines[i].strip():
            section += lines[i].startswith("## ")
            said = []
            if re.match(r"(    |\t)[#$] \S", lines[i]):
                raise Wrong(f"line {i + 1}: a command belongs in a ```console block")
        i += 1


def commands(lines):
    """(command, what it prints) of a session."""
    found, i = [], 0
    while i < len(lines):
        prompt = PROMPT.match(lines[i])
        if prompt:
            command = prompt[1]
            while not is_complete(command):
                i += 1
                command += "\n" + lines[i]
            found.append([command, []])
        elif found:
            found[-1][1].append(lines[i])
        else:
            raise Wrong("a session begins with a command: " + lines[i])
        i += 1
    return [(command, "\n".join(output)) for command, output in found]


class Reader:
    """Does what a reader of the document does."""

    def __init__(self, options, scratch):
        self.options, self.where, self.running = options, os.path.join(scratch, "work"), []
        os.mkdir(self.where)
        tools = os.path.join(scratch, "bin")
        os.mkdir(tools)
        build = os.path.dirname(options.dtrace)
        for name in ("dtrace", "lockstat", "plockstat", "intrstat", "dtflame", "dtheat", "dtoffset", "dtlive", "dtproc", "stackvis"):
            os.symlink(options.dtrace if name == "dtrace" else os.path.join(build, name), os.path.join(tools, name))
        for directory in ("toolkit", "examples"):
            for name in os.listdir(os.path.join(TOP, directory)):
                with open(os.path.join(TOP, directory, name), encoding="utf-8") as script:
                    text = script.read()
                if text.startswith("#!"):
                    self.put(os.path.join(tools, name), text.replace("#!/usr/sbin/dtrace", f"#!{tools}/dtrace", 1))
        os.symlink(tools, os.path.join(self.where, "examples"))
        os.environ.pop("_DTRACE_TESTING", None)     # prints less
        self.env = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", LC_ALL="C")

    @staticmethod
    def put(path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def start(self, command, output=subprocess.DEVNULL):
        for old, new in self.options.replace:
            command = command.replace(old, new)
        process = subprocess.Popen(["bash", "-c", command], cwd=self.where, env=self.env, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        self.running.append(process)
        return process

    def stop(self, process, number=signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        if number == signal.SIGKILL:
            process.wait()
            self.running.remove(process)

    def stop_all(self):
        for process in list(self.running):
            self.stop(process)

    def run(self, command, said, seconds):
        """(exit status, what was printed), shortened to so many seconds if any are given."""
        before, interrupted, after = said.partition("^C")
        if seconds:
            command = re.sub(r"\btick-[1-9]\d*s\b", f"tick-{int(seconds * 1000)}ms", command)
            command = re.sub(r"\binterval:s:[1-9]\d*\b", f"interval:ms:{int(seconds * 1000)}", command)
            command = re.sub(r"(dt(?:flame|heat|offset|proc) .*-d) \d+", rf"\1 {max(1, int(seconds))}", command)
        with tempfile.TemporaryFile("w+b") as output:
            process = self.start(command, output)
            begin, first, mark = time.monotonic(), None, None
            for _ in range(20 * (LAST if seconds else 30)):
                if process.poll() is not None:
                    break
                time.sleep(0.05)
                size = os.fstat(output.fileno()).st_size        # much may come; its beginning will do
                first = first or (size and time.monotonic())
                if mark is not None and time.monotonic() > insist:     # bpftrace may miss a signal
                    self.stop(process, signal.SIGINT)
                    insist = time.monotonic() + 5
                if not interrupted or mark is not None:
                    continue
                if not first and time.monotonic() > begin + 3:      # it says nothing before it is interrupted
                    first = begin + 3
                enough = first and time.monotonic() > first + (seconds or self.wait)
                printed = os.pread(output.fileno(), min(size, ENOUGH), 0).decode(errors="replace")
                if enough and (not seconds or compare(before, printed, whole=False) is None):
                    mark, insist = size, time.monotonic() + 5
                    self.stop(process, signal.SIGINT)
            is_late = process.poll() is None
            self.stop(process)
            output.seek(0)
            printed = output.read()
        if is_late and seconds:
            raise Wrong(f"did not end; it printed\n{end_of(printed.decode(errors='replace'))}")
        if mark is not None and not seconds:
            printed = printed[:mark] + b"^C\n" + printed[mark:]
        return process.returncode, printed.decode(errors="replace")

    def check(self, command, said, expected):
        """Run it until the shape is right; it is Wrong if that never happens."""
        for seconds in ATTEMPTS:
            files = [os.path.join(self.where, name) for name in PICTURE.findall(command)]
            for name in files:
                if os.path.exists(name):
                    os.remove(name)
            status, printed = self.run(command, said, seconds)
            wrong = compare(said, printed)
            if not wrong and status != int(expected.get("status", 0)):
                wrong = f"exit status {status}"
            for pattern in expected["match"]:
                if not wrong and not re.search(pattern, printed, re.M):
                    wrong = f"no {pattern}"
            for name in files:
                if not wrong and not (os.path.exists(name) and os.path.getsize(name) > 20):
                    wrong = f"no {os.path.basename(name)}"
            if not wrong:
                return
        raise Wrong(f"{wrong}; it printed\n{end_of(printed)}")

    def session(self, lines, said):
        """Run the block, and return its lines: the same, or with --write what was printed now."""
        expected = {name: value for name, value in said if name != "match"}
        expected["match"] = [value for name, value in said if name == "match"]
        self.wait = float(expected.get("for", 3))
        loads = [self.start(value) for name, value in said if name == "load"]
        now = []
        for command, output in commands(lines):
            now += ["# " + command]
            if command.endswith(" &"):
                self.start(command[:-2])
            elif self.options.write:
                status, printed = self.run(command, output, 0)
                printed = [line.expandtabs().rstrip() for line in printed.splitlines()
                           if not DROPS.search(line) and not re.search(self.options.without, line)]
                keep = int(expected.get("keep", 30))
                if len(printed) > keep:
                    printed = printed[:keep] + ["[...]"] + ["^C"] * ("^C" in printed[keep:])
                now += printed
                print(f"{status} {command}", *printed, sep="\n", flush=True)
            else:
                try:
                    self.check(command, output, expected)
                except Wrong as wrong:
                    raise Wrong(f"# {command}\n{wrong}") from None
        for load in loads:
            self.stop(load)
        return now

    def read(self, text):
        """The number of commands that ran, and the text as it is now."""
        lines = text.splitlines()
        found, count = [], 0
        part, parts = map(int, self.options.part.split("/"))
        here, beside = 0, []
        for section, first, last, said, is_session in blocks(text):
            if section and section % parts != part - 1:
                continue
            if section != here:
                for load in beside:
                    self.stop(load)
                here, beside = section, []
            block = lines[first:last]
            names = dict(said)
            if "beside" in names:
                load = self.start(names["beside"])
                beside += [load] if section else []
            if "file" in names:
                self.put(os.path.join(self.where, names["file"]), "\n".join(block) + "\n")
            if not is_session or "skip" in names or self.options.only not in "\n".join(block):
                continue
            count += len(commands(block))
            found.append((first, last, self.session(block, said)))
        for first, last, now in reversed(found):
            lines[first:last] = now
        if self.options.write:
            for name in re.findall(r"^!\[.*?\]\((\w+\.svg)\)", text, re.M):
                if os.path.exists(os.path.join(self.where, name)):
                    shutil.copy(os.path.join(self.where, name), os.path.dirname(self.options.file))
        return count, "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtrace", default=os.path.join(TOP, "build/dtrace"))
    parser.add_argument("--replace", action="append", default=[], type=lambda text: text.split("=", 1))
    parser.add_argument("--part", default="1/1", help="every Mth section, from the Nth on")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--without", default="^$^", help="lines that --write leaves out: of programs that have nothing to do with it")
    parser.add_argument("--only", default="", help="blocks that contain this word")
    parser.add_argument("file")
    options = parser.parse_args()
    options.dtrace = os.path.abspath(options.dtrace)
    with open(options.file, encoding="utf-8") as file:
        text = file.read()
    # bpftrace looks for tracepoints only in debugfs: give it one that disappears with us
    if "# bpftrace" in text and not os.path.exists("/sys/kernel/debug/tracing"):
        os.execvp("unshare", ["unshare", "-m", "sh", "-c", 'mount -t debugfs debugfs /sys/kernel/debug && exec "$@"', "sh",
                              sys.executable, *sys.argv])
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))     # and end what was started
    scratch = tempfile.mkdtemp(prefix="guide.", dir="/var/tmp")     # on a disk, which /tmp need not be
    reader = Reader(options, scratch)
    try:
        count, now = reader.read(text)
        if not count:
            raise Wrong("no commands")
        if options.write:
            with open(options.file, "w", encoding="utf-8") as file:
                file.write(now)
        else:
            print(f"{os.path.basename(options.file)}: as in the text")
        return 0
    except Wrong as wrong:
        print(f"{os.path.basename(options.file)}: {wrong}")
        return 1
    finally:
        reader.stop_all()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
