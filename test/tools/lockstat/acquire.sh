# Locks that are taken are given back, by the same thread: reading an empty pipe
# takes its mutex.
# @timeout: 300
. "$suite/lib.sh"
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
	END { printf("%d %d %d %d %d\n", n, m, r, s, kind[RW_READER] > 0 && kind[RW_WRITER] > 0); }' \
	-c 'python3 run.py' > out 2> err
# kernels that preempt their own code skip some; so many may be missing on one side
few=$(awk '/ that fired while their program ran on that CPU$/ { n += $2 } END { print n + 10 }' err)
grep -v ' that fired while their program ran on that CPU$' err >&2
awk -v few="$few" 'NF {
	print "taken: " ($1 > 100) ", given back: " ($2 > $1 - few)
	print "rw taken: " ($3 > 100) ", given back: " ($4 > $3 - few) ", readers and writers: " $5 }' out
