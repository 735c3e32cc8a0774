#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Manual pages: run every example, and compare what it prints in shape.

    manual.py [--functions] [--directory DIR] DTRACE TARGET PAGE...
    manual.py --toolkit DTRACE TARGET
    manual.py --load DIR

An example is a line of a verbatim block (.EX) that begins with `# ` or `$ `, with the
lines that its quotes and backslashes continue.  Lines below it are what it prints.

1. Seconds are made shorter.  Meanwhile something reads, writes, forks and sends (--load,
   in DIR), so that there is something to see.  A command that shows nothing, or not yet
   what its page shows, or that met a fault, is run again for longer.
2. A command that has no end is interrupted when BEGIN has said that all is armed.
3. It must print something or write its file, exit with 0, and complain of nothing.  Each line
   of output that the page shows must come up in shape: numbers, words, bars in that order.
4. Commands that need functions of the kernel (see FUNCTIONS) are run with --functions,
   and only then.  Those that enable all of a provider (WIDE), which takes minutes where
   functions are armed one by one on an emulated machine, are left out in guests.
5. Commands in the pages of the toolkit are compiled only (--toolkit): its own tests run
   the tools.  So a page names no option that its script does not take.
6. Programs, files and process ids that a machine need not have are replaced (STAND_INS);
   TARGET is a process with the function handle().
"""
import argparse, gc, os, re, shlex, signal, socket, subprocess, sys, tempfile, time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = f"{TOP}/doc"
ESCAPES = ((r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~"), (r"\&", ""), (r"\e", "\\"))
FUNCTIONS = re.compile(r"\b(fbt|vfs:namecache|nfsv[34]|iscsi):")
WIDE = re.compile(r"\b(mib|sysinfo|fsinfo)::: |\bvfs:vop::")
COMPLAINT = re.compile(r"^[a-z]+: (error|failed|invalid|could not|cannot|internal|unknown)", re.M)
ATTEMPTS = 9
STAND_INS = (
    (r"\$\((pgrep -x|pidof) mariadbd\)", "{target}"), (r"\b1234\b", "{target}"),
    (r"'java Program'", "true"), (r"\bmake -j\d", "ls /"), (r"\| less", "| cat"), (r"grep ext4", "grep ."),
    (r"perf script", "cat perf.out"), (r"intrstat -T d 5 3", "intrstat -T d 1 1"), (r"\bsleep 5\b", "sleep 0.3"),
    (r" -d 60\b", " -d 1"), (r" -e 10\b", " -e 1"), (r"use -v 10 \| grep ' !'", "use -v 1 1 | cat"), (r"^(prstat -Lm .* 1)$", r"\1 1"), (r"grep -A 2 LISTEN", "grep -A 2 S_IF"),
    (r"^((?:dtflame|dtheat|dtoffset)\b(?!.* -[cd] ))", r"\1 -d 1"),
)


def blocks(page):
    with open(f"{DOC}/{page}", encoding="utf-8") as file:
        text = file.read()
    for escape, character in ESCAPES:
        text = text.replace(escape, character)
    return re.findall(r"^\.EX\n(.*?)^\.EE", text, re.M | re.S)


def is_whole(command):
    try:
        shlex.split(command)
    except ValueError:
        return False
    return not command.endswith("\\")


def examples(page):
    """[command, lines that it prints, may it print nothing?] of each example."""
    for block in blocks(page):
        found, is_open = [], False
        for line in block.splitlines():
            if is_open:
                found[-1][0] += "\n" + line
            elif line.startswith(("# ", "$ ")):
                found.append([line[2:], [], line[0] == "$"])
            elif found and line.strip():
                found[-1][1].append(line)
            is_open = bool(found) and not found[-1][1] and not is_whole(found[-1][0])
        yield from found


def shape(line):
    """Numbers are N, words w, bars |: `  a b 12 |@@` is `w N |`."""
    tokens = []
    for token in line.split():
        token = re.sub(r"0x[0-9a-f]+|\d+", "N", token)
        token = "|" if token.startswith("|") else token if re.fullmatch(r"(?:[^A-Za-z_/-]*N)+[^A-Za-z_/-]*", token) else "w"
        if token != "w" or tokens[-1:] != ["w"]:
            tokens.append(token)
    return " ".join(tokens)


def prepared(command, target, factor):
    for pattern, text in STAND_INS:
        command = re.sub(pattern, text.replace("{target}", str(target)), command, flags=re.S)
    return re.sub(r"\btick-(\d+)s", lambda m: f"tick-{int(m[1]) * 30 * factor}ms", command)


def is_endless(command):
    return command.startswith("dtrace ") and not re.search(r"exit\(0\)| -c | -\w*[lhG]\w* | --(check|replay)", command)


def run(command):
    """Standard output and error together, and the exit status."""
    if is_endless(command):
        command = command.replace("dtrace ", """dtrace -n 'BEGIN { printf("@armed\\n"); }' """, 1)
    process = subprocess.Popen(["sh", "-c", f"exec {command}" if is_endless(command) else command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    said = ""
    if is_endless(command):
        for line in process.stdout:
            said += line
            if "@armed" in line:
                process.send_signal(signal.SIGINT)
                break
    said += process.communicate()[0]
    return said, process.returncode


def has_written(command):
    """What a command that should print nothing leaves behind."""
    path = re.search(r"(?: -o| >) ([\w.]+)$", command)
    return command.startswith("plockstat ") or bool(path and os.path.exists(path[1]) and os.path.getsize(path[1]))


def trouble(said, status, shown, may_be_silent):
    """Why this is not what the page promises, or None."""
    shapes = {shape(line) for line in said.splitlines()}
    missing = [line for line in shown if shape(line) not in shapes]
    wrong = [m[0] for m in COMPLAINT.finditer(said) if shape(said[m.start():].split("\n")[0]) not in {shape(line) for line in shown}]
    if status:
        return f"exit status {status}"
    if wrong:
        return "it complains"
    if missing:
        return f"nothing looks like {missing[0]!r}"
    return None if may_be_silent or said.strip() else "it prints nothing"


def check(page, target, with_functions):
    number = failed = 0
    for command, shown, may_be_silent in examples(page):
        if bool(FUNCTIONS.search(command)) != with_functions or command.startswith("cat "):
            continue
        number += 1
        if WIDE.search(command) and os.environ.get("again") == "kernel":
            continue
        for attempt in range(ATTEMPTS):
            said, status = run(prepared(command, target, 2 ** attempt))
            reason = trouble(said, status, shown, may_be_silent or has_written(command))
            if status or not reason:
                break
        if reason:
            failed += 1
            print(f"{page}: {command}\n  {reason}:\n{said}")
    return number, failed


def compile_only(command, script, dtrace):
    """What is wrong with it, or nothing."""
    command = re.sub(r"^(dtrace|%s)" % re.escape(script), lambda m: dtrace + ("" if m[1] == "dtrace" else f" -s {script}"), command)
    done = subprocess.run(["sh", "-c", command], cwd="toolkit", stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode or "usage" in done.stderr.lower() else ""


def check_toolkit(dtrace, target):
    """Scripts take what the examples in their pages give them."""
    number = 0
    os.mkdir("toolkit")         # commands may write files
    for script in sorted(os.listdir(f"{TOP}/toolkit")):
        os.symlink(f"{TOP}/toolkit/{script}", f"toolkit/{script}")
    for script in sorted(os.listdir("toolkit")):
        page = subprocess.check_output(["awk", "-f", f"{TOP}/tools/tool_manual.awk", f"{TOP}/toolkit/{script}"], text=True)
        for escape, character in ESCAPES:
            page = page.replace(escape, character)
        commands = re.findall(r"^\.B (.*)", page.split(".SH EXAMPLES\n")[1].split("\n.SH ")[0], re.M)
        with open(f"{TOP}/toolkit/{script}", encoding="utf-8") as file:
            is_d = "dtrace" in file.readline()
        for command in commands if is_d else []:
            number += 1
            tried = re.sub(r"\$\([^)]*\)|(?<= )(7357|29952)\b", target, prepared(command, target, 1))
            said = [compile_only(tried, script, f"{dtrace} -e {flag}") for flag in ("-Z", "")]
            # types of arguments are not known where a kernel lacks the probe
            if said[0] and not re.match(r"dtrace: .*: no probe ", said[1]):
                print(f"{command}: {said[0]}")
    return number


def files(directory):
    """What commands of pages expect to be there."""
    for name in ("before.folded", "after.folded"):
        with open(name, "w", encoding="ascii") as file:
            file.write("main;work 3\nmain;wait 1\n")
    with open("perf.out", "w", encoding="ascii") as file:
        file.write("work 12/12 1.5: 1 cycles:\n\t401136 inner+0x6 (/bin/work)\n\t401150 main+0x10 (/bin/work)\n\n")
    with open("serve.c", "w", encoding="ascii") as file:
        file.write('#include "myapp.h"\nint main(void) { MYAPP_REQ_START(1, "a"); return 0; }\n')
    declaration = re.search(r"^provider myapp .*$", "\n".join(blocks("dtrace_usdt.4")), re.M)
    with open("myapp.d", "w", encoding="ascii") as file:
        file.write(declaration[0] + "\n")
    os.makedirs(directory, exist_ok=True)


def load(directory):
    """Something of everything, until it is killed."""
    signal.signal(signal.SIGUSR1, lambda *_: None)
    listener = socket.create_server(("127.0.0.1", 0))
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("127.0.0.1", 0))
    path = os.path.join(directory, "loaded")
    while True:
        subprocess.run(["ls", directory], stdout=subprocess.DEVNULL, check=False)
        subprocess.run(["date"], stdout=subprocess.DEVNULL, check=False)
        with open(path, "wb") as file:
            file.write(b"x" * 65536)
            file.flush()
            os.fsync(file.fileno())
        with open(path, "rb") as file:
            file.read()
        os.unlink(path)
        client = socket.create_connection(listener.getsockname())
        server = listener.accept()[0]
        client.sendall(b"question")
        server.recv(100)
        client.close()
        server.close()
        datagrams.sendto(b"word", datagrams.getsockname())
        datagrams.recv(100)
        os.kill(os.getpid(), signal.SIGUSR1)
        gc.collect()
        time.sleep(0.01)        # leave something to others


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--functions", action="store_true")
    parser.add_argument("--directory", default="loaded")
    parser.add_argument("--toolkit", action="store_true")
    parser.add_argument("--load")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    if args.load:
        load(args.load)
    dtrace, target, *pages = args.words
    if args.toolkit:
        number = check_toolkit(dtrace, target)
        print("many commands" if number > 200 else f"{number} commands")
        return
    commands = tempfile.mkdtemp(dir=".")
    for name in os.listdir(os.path.dirname(dtrace)):
        built = os.path.join(os.path.dirname(dtrace), name)
        if os.path.isfile(built) and os.access(built, os.X_OK):
            os.symlink(built, f"{commands}/{name}")
    os.environ.pop("_DTRACE_TESTING", None)     # pages show all columns
    os.environ["PATH"] = f"{os.path.abspath(commands)}:{os.environ['PATH']}"
    files(args.directory)
    loaded = subprocess.Popen([sys.executable, __file__, "--load", args.directory])
    try:
        for page in pages:
            number, failed = check(page, target, args.functions)
            if not failed:
                print(f"{page}: ran" if number else f"{page}: no commands")
    finally:
        loaded.kill()
        loaded.wait()


if __name__ == "__main__":
    main()
