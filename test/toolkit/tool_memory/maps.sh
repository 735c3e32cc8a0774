# brk.d, mmap.d: a heap that grows by a known amount, mappings of known sizes.
. "$suite/toolkit.sh"
cat > grows.py <<'Y'
import ctypes, mmap
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
libc.sbrk(1234 * 4096)
libc.sbrk(-1234 * 4096)
open("file", "w").write("x" * 9000)
with open("file", "r+") as file:
    mmap.mmap(file.fileno(), 8192)
    mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ)
mmap.mmap(-1, 777 * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
Y
name_of_its_own python3
tool brk.d -n $me -- ./$me grows.py | awk 'NR == 1 { print $1, $2, $3, $4, $5 } $7 == 5054464 || $7 == -5054464 { print $7, ($8 >= ($7 > 0 ? $7 : 0) ? "heap" : $8) }'
tool mmap.d -n $me -- ./$me grows.py | awk -v here="$(pwd -P)" 'NR == 1 { print $1, $2, $3, $4, $5, $6 }
	$6 == here "/file" { print $3, $4, $5, "file" } $3 == 3182592 { print $3, $4, $5 }'
