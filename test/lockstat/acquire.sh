# Locks that are taken are given back, by the same thread: reading an empty pipe
# takes its mutex.
# @timeout: 300
. "$test/../lib.sh"
need_probe lockstat:::adaptive-acquire
cat > run.py <<'Y'
import os
r, w = os.pipe()
for i in range(200):
    os.write(w, b"x")
    os.read(r, 1)
    open("file", "w").close()
Y
"$dtrace" -qn '
	lockstat:::adaptive-acquire /pid == $target/ { self->held[arg0]++; n++; }
	lockstat:::adaptive-release /pid == $target && self->held[arg0]/ { self->held[arg0]--; m++; }
	lockstat:::rw-acquire /pid == $target/ { self->rw[arg0]++; r++; kind[args[1]]++; }
	lockstat:::rw-release /pid == $target && self->rw[arg0]/ { self->rw[arg0]--; s++; }
	END { printf("taken: %d, given back: %d\n", n > 100, m > n - 10 && m <= n);
	    printf("rw taken: %d, given back: %d, readers and writers: %d\n", r > 100, s > r - 10 && s <= r,
	    kind[RW_READER] > 0 && kind[RW_WRITER] > 0); }' -c 'python3 run.py'
