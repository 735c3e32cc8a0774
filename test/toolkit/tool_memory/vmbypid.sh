# vmbypid.d: page faults of a program that touches a known number of pages.
. "$suite/toolkit.sh"
cat > touches.py <<'Y'
import mmap
pages = 3000
memory = mmap.mmap(-1, pages * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for page in range(pages): memory[page * 4096] = 1
Y
name_of_its_own python3
tool vmbypid.d -n $me -- ./$me touches.py | unnamed python3 > out
awk '/EXEC/ { print } $3 == "as_fault" || $3 == "zfod" { print $1, $3, ($4 >= 3000 ? "3000 or more" : $4) }' out | sort
