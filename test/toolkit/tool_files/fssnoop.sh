# fssnoop.d: what a known program does with a file, in order.
. "$suite/toolkit.sh"
cat > works.py <<'Y'
import os, mmap
fd = os.open("worked", os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 5000)
os.pwrite(fd, b"y" * 10, 3)
os.lseek(fd, 0, 0)
os.read(fd, 700)
os.fsync(fd)
os.ftruncate(fd, 4096)
mmap.mmap(fd, 4096)
os.close(fd)
Y
name_of_its_own python3
tool fssnoop.d -n $me -- ./$me works.py | unnamed python3 |
	awk 'NR == 1 { print } $NF ~ /\/worked$/ && $1 > 0 { print $4, $5, $6 }' | uniq
