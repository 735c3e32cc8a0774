# kill -9 leaves nothing in the kernel: every program and map of the killed tracer is gone.
. "$suite/lib.sh"
"$dtrace" -qn 'syscall:::entry { @ = count(); } tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' > out 2>&1 &
tracer=$!
disown	# bash is not to report its end
await out armed
cat > objects.py <<'P'
import ctypes, glob, os, re, signal, struct, sys, time
GET_FD = {"prog": 13, "map": 14}	# BPF_PROG_GET_FD_BY_ID, BPF_MAP_GET_FD_BY_ID
BPF = 321
pid = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)

def is_there(kind, number):
    attr = ctypes.create_string_buffer(struct.pack("III", number, 0, 0))
    fd = libc.syscall(BPF, GET_FD[kind], attr, 12)
    if fd >= 0:
        os.close(fd)
    return fd >= 0

text = "".join(open(path).read() for path in glob.glob(f"/proc/{pid}/fdinfo/*"))
objects = {(kind, int(n)) for kind, n in re.findall(r"^(prog|map)_id:\s*(\d+)", text, re.M)}
kinds = {kind for kind, _ in objects}
print("before:", sorted(kinds), all(is_there(*o) for o in objects))
os.kill(pid, signal.SIGKILL)
for _ in range(3600):		# the kernel frees them after a grace period
    left = [o for o in objects if is_there(*o)]
    if not left:
        break
    time.sleep(0.05)
print("after:", left or "none")
P
python3 objects.py $tracer
