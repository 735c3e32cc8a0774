# zvmstat: pages that a program touches are counted for its control group.
. "$suite/toolkit.sh"
need_probe vminfo:::zfod
cat > touch.py <<'Y'
import mmap, sys
memory = mmap.mmap(-1, 1000 * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)	# a fault for each page
for page in range(1000):
    memory[4096 * page] = 1
Y
name=$("$dtrace" -qn 'BEGIN { printf("%s\n", cgroupname); exit(0); }' | grep .)
name=${name:-/}
tool zvmstat 1 -- python3 touch.py > all
sed -n 2p all
awk -v name="$name" '$1 == name { flt += $2; zfod += $4; fields = NF } END { print fields, (flt >= 1000), (zfod >= 1000) }' all
