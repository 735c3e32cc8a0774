# ^C on the terminal reaches dtrace and the command alike: one ends politely, the other as it likes.
cat > terminal.py <<'END'
import os, pty, re, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(os.environ["dtrace"], ["dtrace", "-qn", 'tick-10ms /!n++/ { printf("armed %d\\n", $target); } END { printf("end\\n"); }', "-c", "cat"])
out = b""
# whole lines: the terminal's echo may come into the middle of one
steps = [(rb"armed \d+\r\n", b"echo\n"), (rb"echo\r\necho\r\n", b"\x03")]
while True:
    try:
        data = os.read(terminal, 1000)
    except OSError:
        break
    out += data
    if steps and re.search(steps[0][0], out):
        os.write(terminal, steps.pop(0)[1])
print("status", os.waitpid(pid, 0)[1])
words = out.decode().split()
# the echo of ^C may stand before it
print(any(word.endswith("end") for word in words), words.count("echo"))
child = int(words[words.index("armed") + 1])
for _ in range(6000):
    try:
        state = open(f"/proc/{child}/stat").read().split()[2]
    except OSError:
        state = "gone"
    if state in ("Z", "gone"):
        print("the command is gone")
        break
    time.sleep(0.01)
END
python3 terminal.py 2>&1
