# 1,000 pages of memory are filled with zeros on demand; 100 pages of a disk are
# not in memory and read one by one.  The program may touch a few of its own.
. "$suite/lib.sh"
own_disk 8M
cat > touch.py <<'X'
import mmap, os, sys
memory = mmap.mmap(-1, 1000 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
os.sched_yield()
for page in range(1000):
    memory[page * 4096] = 1
os.sched_yield()
# away from where others look for file systems
disk = os.open(sys.argv[1], os.O_RDONLY)
data = mmap.mmap(disk, 8 << 20, prot=mmap.PROT_READ)
data.madvise(mmap.MADV_RANDOM)
os.sched_yield()
for page in range(600, 1000, 4):
    data[page * 4096]
os.sched_yield()
X
"$dtrace" -qn '
	syscall::sched_yield:entry /pid == $target/ { phase++; }
	vminfo:::zfod /pid == $target && phase == 1/ { @[probename] = sum(args[0]); }
	vminfo:::maj_fault /pid == $target && phase == 3/ { @[probename] = sum(1); }
	END { printa("%s %@d\n", @); }' -c "python3 touch.py $loop" |
	awk 'NF { least = $1 == "zfod" ? 1000 : 100; print $1, $2 >= least && $2 < least + 50 ? least : $2 }' | sort
