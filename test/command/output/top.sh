# -x top: on a terminal aggregations are redrawn in place; elsewhere nothing changes.
[ -e /dev/pts/ptmx ] || { echo "no pseudo-terminals here"; exit 77; }
"$dtrace" -qx top -x aggrate=50ms -n 'BEGIN { @["x"] = count(); } tick-300ms { exit(0); }'
cat > terminal.py <<'P'
import os, pty, signal, sys, fcntl, termios, struct
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 6, 80, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
data, asked = b"", False
while True:
    try:
        part = os.read(fd, 4096)
    except OSError:
        break
    if not part:
        break
    data += part
    if not asked and data.count(b"\033[H\033[J") > 3:
        asked = True
        os.kill(pid, signal.SIGINT)
pictures = data.decode().replace("\r", "").split("\033[H\033[J")
print("redrawn" if len(pictures) > 3 else data)
print(pictures[2], end="")
P
python3 terminal.py "$dtrace" -qx top -x aggrate=50ms -n '
	BEGIN { @[1] = sum(1); @[2] = sum(2); @[3] = sum(3); @[4] = sum(4); @[5] = sum(5); @[6] = sum(6); @[7] = sum(7); }'
