# -x screen: pages take each other's place on a terminal, cut to its size; q ends the run
# and the terminal is as before.  Elsewhere one page follows the other.
# @anykernel: what is printed does not depend on it
cat > pages.d <<'END'
#pragma D option quiet
#pragma D option screen
tick-100ms { n++; printf("\f%s\n123456789012345678901234567890\nthird\nfourth\nfifth\n", "page"); }
END { printf("the end, after a page: %d\n", n > 0); }
END
echo "on a terminal"
python3 - "$dtrace" <<'PY'
import fcntl, os, pty, re, signal, struct, sys, termios
def size(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
pid, fd = pty.fork()
if not pid:
    size(0, 4, 20)
    before = termios.tcgetattr(0)
    child = os.spawnv(os.P_NOWAIT, sys.argv[1], [sys.argv[1], "-s", "pages.d"])
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("status", status, "the terminal is as before" if termios.tcgetattr(0) == before else "other terminal", flush=True)
    os._exit(0)
said = ""
def await_text(pattern):
    global said
    while not re.search(pattern, said):
        said += os.read(fd, 4096).decode()
    at = re.search(pattern, said)
    said = said[at.end():]
    return at[0].replace("\r\n", "\n").replace("\033", "^[")
print(await_text(r"\x1b\[H\x1b\[2J(?:(?!\x1b\[H)[\s\S])*third\S*\s+\x1b\[J"))
size(fd, 24, 80)
print(await_text(r"\x1b\[H(?:(?!\x1b\[H)[\s\S])*fifth\S*\s+\x1b\[J"))
os.write(fd, b"q")
print(await_text(r"the end[\s\S]*status.*\n"))
PY
echo "in a file"
"$dtrace" -s pages.d -n 'tick-10ms /n >= 2/ { exit(0); }' > out
head -6 out
