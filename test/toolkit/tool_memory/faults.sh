# minfbypid.d, minfbyproc.d, pf.d: faults of a program that touches a known number of pages.
. "$suite/toolkit.sh"
cat > touches.py <<'Y'
import mmap
pages = 3000
memory = mmap.mmap(-1, pages * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for page in range(pages): memory[page * 4096] = 1
Y
name_of_its_own python3
many='($NF >= 3000 && $NF < 12000 ? "3000 and those of its start" : $NF)'
tool minfbypid.d -- ./$me touches.py | awk -v me=$me "/CMD/ { print \$1, \$2, \$3 } \$2 == me { print $many }"
tool minfbyproc.d -- ./$me touches.py | awk -v me=$me "/CMD/ { print \$1, \$2 } \$1 == me { print $many }"
tool pf.d -n $me -- ./$me touches.py > out
awk '/EXEC/ { print $1, $2, $3 } $2 + 0 >= 3000 { print "3000 or more in one function" } $2 + 0 > 0 { n += $2 } END { print (n > 3000 ? "more in all" : n) }' out
