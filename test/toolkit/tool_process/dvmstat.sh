# dvmstat: faults, bytes and calls of one program.
. "$suite/toolkit.sh"
cat > works.py <<'Y'
import mmap, os
memory = mmap.mmap(-1, 5000 * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for page in range(5000): memory[page * 4096] = 1
out = os.open("/dev/null", os.O_WRONLY)
for _ in range(7): os.write(out, bytes(1024 * 1024))
for _ in range(20000): os.getppid()
Y
name_of_its_own python3
tool dvmstat -n $me 3600 -- ./$me works.py |
	awk 'NR == 1 { $1 = $1; print; next } { print ($3 >= 5000 && $3 < 20000 ? "faults" : $3), $6, ($7 >= 20000 && $7 < 25000 ? "calls" : $7) }'
echo "another: $(tool dvmstat -n nosuch 3600 -- ./$me works.py | awk 'NR > 1 { $1 = $1; print }')"
echo "so many lines: $("$dtrace" -s "$suite/../toolkit/dvmstat" 1 2 | grep -c '[0-9]')"
