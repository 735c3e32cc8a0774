# A run that makes a picture shows on a terminal how far it is, removes that at the end, and shows nothing elsewhere.
python3 - "$dtrace" <<'PY'
import os, pty, re, signal, subprocess, sys
dtrace = sys.argv[1]
line = re.compile(rb"\r(\d+) s, (\d+) events, (\d+) drops\x1b\[K")
def on_terminal(is_enough, *args, stdout=None):
    """What dtrace writes; it is interrupted as soon as that is enough."""
    pid, fd = pty.fork()
    if not pid:
        if stdout:
            os.dup2(os.open(stdout, os.O_WRONLY | os.O_CREAT, 0o644), 1)
        os.execv(dtrace, [dtrace, *args])
    seen = b""
    while True:
        try:
            part = os.read(fd, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
        if is_enough and is_enough(seen):
            os.kill(pid, signal.SIGINT)
            is_enough = None
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen
def has_counted(seen):
    return len(line.findall(seen)) >= 2 and any(int(n) > 0 for _, n, _ in line.findall(seen))
def words(text):
    return sorted(set(text.replace(b"\r\x1b[K", b"").split()))
program = 'profile-97 { @[stack(1)] = count(); } tick-1s { printf("second\\n"); } END { trunc(@); }'
status, seen = on_terminal(has_counted, "-x", "folded=f", "-qn", program, stdout="out")
print("a file:", status, seen.endswith(b"\r\x1b[K"), line.sub(b"", seen).replace(b"\r\x1b[K", b""))
status, seen = on_terminal(lambda seen: has_counted(seen) and seen.count(b"second") >= 2, "-x", "folded=f", "-qn", program)
# the line is removed before anything else is printed
print("a terminal:", status, len(re.findall(rb"\x1b\[K[^\r]*[^K\r\n]second", seen)), words(line.sub(b"", seen)))
status, seen = on_terminal(lambda seen: seen.count(b"second") >= 3, "-qn", program)
print("no picture:", status, words(seen))
ends = program.replace('tick-1s {', 'tick-1s { i++;').replace("END", "tick-1s /i == 2/ { exit(0); } END")
done = subprocess.run([dtrace, "-x", "folded=f", "-qn", ends], capture_output=True)
print("no terminal:", done.returncode, done.stderr, words(done.stdout))
PY
