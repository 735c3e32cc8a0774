# @anykernel: node starts slowly in an emulated machine
# Functions and files of Python and JavaScript are called whatever their process
# likes.  A terminal shows the control characters of their names as \ooo; files have
# names as they are, but no more lines than there are frames.  JSON, NDJSON, SVG and
# HTML can be read by those who read such, and have no elements of the process's
# making.
. "$suite/lib.sh"
cat > names.py <<'END'
import os
def named(function, name, file):
    code = function.__code__
    changes = {"co_name": name, "co_filename": file}
    if hasattr(code, "co_qualname"):
        changes["co_qualname"] = name
    function.__code__ = code.replace(**changes)
    return function
def escape():
    os.getppid()
def markup():
    escape()
def reverse():
    markup()
named(escape, "esc\x1b]0;title\x07[2J\nline\ttab\r\x9b2J", "/srv/\x1b[31mred\n.py")
named(markup, "</title><script>\"quote\\'&amp;", "/srv/<b>.py")
named(reverse, "reverse\u202eexe\udcff\x7f", "/srv/r.py")
reverse()
END
cat > names.js <<'END'
const escape = ({ "esc\x1b]0;title\x07[2J\nline": function () { process.kill(process.pid, 0); } });
const markup = ({ "</title><script>\"quote\\": function () { Object.values(escape)[0](); } });
Object.values(markup)[0]();
// until its stack has been named
while (!require("fs").existsSync("named"))
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
END
cat > check.py <<'END'
import html.parser, json, os, pty, re, subprocess, sys
import xml.etree.ElementTree as xml
dtrace, what, clause, command = sys.argv[1:]
program = clause + " { ustack(40); @[ustack(40)] = count(); system(\"touch named\"); }"
PLAIN = re.compile("esc|quote|reverse")
def forget():
    if os.path.exists("named"):
        os.remove("named")
def run(*options):
    forget()
    done = subprocess.run([dtrace, "-qw", *options, "-c", command, "-n", program], capture_output=True)
    if done.returncode or done.stderr:
        print(what, options, done.returncode, done.stderr)
    return done.stdout
def on_terminal():
    forget()
    pid, fd = pty.fork()
    if not pid:
        os.execv(dtrace, [dtrace, "-qw", "-c", command, "-n", program])
    seen = b""
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.waitpid(pid, 0)
    return seen
def show(lines):
    found = []
    for line in lines:
        if PLAIN.search(line) and line.strip() not in found:
            found.append(line.strip())
    return found
seen = on_terminal().decode().replace("\r\n", "\n")
print(f"{what}, a terminal:", *show(seen.split("\n")), sep="\n  ")
print("  control characters:", sorted(set(c for c in seen if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c == "\u202e")))
text = run()
print(f"{what}, a file:", *(ascii(line) for line in show(text.decode().split("\n"))), sep="\n  ")
def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)
for form in "json", "ndjson":
    out = run("-x", "oformat=" + form).decode()
    values = [json.loads(out)] if form == "json" else [json.loads(line) for line in out.splitlines()]
    found = set(text for text in strings(values) if PLAIN.search(text) and "`" not in text)
    print(f"{what}, {form}:", *sorted(ascii(text) for text in found), sep="\n  ")
class Tags(html.parser.HTMLParser):
    count = 0
    def handle_starttag(self, tag, attributes):
        self.count += tag in ("script", "b")
def tags_of(page):
    parser = Tags()
    parser.feed(open(page, encoding="utf-8").read())
    return parser.count
for form in "svg", "html":
    run("-x", f"flame=hostile.{form}")
    subprocess.run([dtrace, "-q", "-x", f"flame=plain.{form}", "-n", "BEGIN { @[stack()] = count(); exit(0); }"], stdout=subprocess.DEVNULL)
    if form == "svg":
        xml.parse("hostile.svg")
    print(f"{what}, {form}:", tags_of(f"hostile.{form}") - tags_of(f"plain.{form}"), "more elements")
END
python3 check.py "$dtrace" Python 'syscall::getppid:entry /pid == $target/' "/usr/bin/python3 names.py"
python3 check.py "$dtrace" JavaScript 'syscall::kill:entry /pid == $target && arg1 == 0/' "node names.js"
