# -x top: on a terminal aggregations are redrawn in place; elsewhere nothing changes.
[ -e /dev/pts/ptmx ] || { echo "no pseudo-terminals here"; exit 77; }
"$dtrace" -qx top -x aggrate=50ms -n 'BEGIN { @["x"] = count(); } tick-300ms { exit(0); }'
cat > terminal.py <<'P'
import os, pty, sys, fcntl, termios, struct
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 6, 80, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
data = b""
while True:
    try:
        part = os.read(fd, 4096)
    except OSError:
        break
    if not part:
        break
    data += part
pictures = data.decode().replace("\r", "").split("\033[H\033[J")
print("redrawn" if len(pictures) > 3 else data)
print(pictures[2], end="")
P
timeout 200 python3 terminal.py "$dtrace" -qx top -x aggrate=50ms -n '
	BEGIN { @[1] = sum(1); @[2] = sum(2); @[3] = sum(3); @[4] = sum(4); @[5] = sum(5); @[6] = sum(6); @[7] = sum(7); }
	tick-400ms { exit(0); }'
