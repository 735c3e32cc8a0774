# 10,000 pages of memory are touched for the first time, and again by a child,
# which gets a copy of each.
cat > touch.py <<'X'
import mmap, os
memory = mmap.mmap(-1, 10000 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for page in range(10000):
    memory[page * 4096] = 1
if os.fork():
    os.wait()
else:
    for page in range(10000):
        memory[page * 4096] = 2
X
"$dtrace" -qn '
	vminfo:::as_fault, vminfo:::cow_fault /progenyof($target)/ { @[probename, pid == $target] = sum(args[0]); }
	END { printa("%s %d %@d\n", @); }' -c 'python3 touch.py' |
	awk '$3 >= 10000 { print ($2 ? "parent:" : "child:"), $1, "at least 10000" }' | sort
