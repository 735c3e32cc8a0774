# vmstat.d, vmtop10.d: faults and calls of a known load are among those of the machine.
. "$suite/toolkit.sh"
cat > touches.py <<'Y'
import mmap, os
pages = 20000
memory = mmap.mmap(-1, pages * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for page in range(pages): memory[page * 4096] = 1; os.getppid()
Y
name_of_its_own python3
tool vmstat.d 3600 -- ./$me touches.py |
	awk 'NR == 1 { $1 = $1; print; next } { lines++; print ($2 >= 20000 ? "faults" : $2), ($8 >= 20000 ? "calls" : $8), ($9 > 0 ? "switches" : $9) }'
echo "so many lines: $("$dtrace" -s "$suite/../toolkit/vmstat.d" 1 2 | grep -c '[0-9]')"
tool vmtop10.d --every 1h -- ./$me touches.py | sed 1d > out
awk -v me=$me 'NR == 1 { print $1, $2, $3 } $1 == me && $2 == "as_fault" { print $2, ($3 >= 20000 ? "20000 or more" : $3) }' out
