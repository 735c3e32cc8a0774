# On a terminal, pages take each other's place, cut to its size, with as many processes
# as fit; q ends the run and the terminal is as before.
# @anykernel: what is printed does not depend on it
python3 - "${dtrace%/*}/prstat" <<'PY'
import fcntl, os, pty, re, struct, sys, termios
def size(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
pid, fd = pty.fork()
if not pid:
    size(0, 5, 20)
    before = termios.tcgetattr(0)
    child = os.spawnv(os.P_NOWAIT, sys.argv[1], [sys.argv[1], "1"])
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
    return at[0].replace("\r\n", "\n")
def show(page):
    page = re.sub(r"\x1b\[0m\x1b\[K", "", page)
    page = re.sub(r"(?m)^ *\d+ \S.*$", "PROCESS", page)
    page = re.sub(r"Total.*", "Total ...", page)
    print(page.replace("\033", "^["))
show(await_text(r"\x1b\[H   PID(?:(?!\x1b\[H)[\s\S])*\x1b\[J"))
size(fd, 7, 100)
# the old page is drawn again first, then one that fills the terminal
show(await_text(r"\x1b\[H   PID [^\n]*NLWP[^\n]*\n(?:[^\n]*\n){4}Total[^\n]*averages[^\n]*\n\x1b\[J"))
os.write(fd, b"q")
print(await_text(r"status.*\n"), end="")
PY
