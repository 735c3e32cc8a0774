# filebyproc.d, creatbyproc.d, mmapfiles.d: files of a known program.
. "$suite/toolkit.sh"
cat > opens.py <<'Y'
import os, mmap
open("made", "w").write("x" * 5000)
open("made", "r").close()
try: open("absent", "r")
except OSError: pass
fd = os.open("made", os.O_RDWR)
for _ in range(3): mmap.mmap(fd, 4096)
mmap.mmap(-1, 4096)
Y
name_of_its_own python3
tool filebyproc.d -- ./$me opens.py | grep -w "^CMD\|$me" | unnamed python3 | grep -x 'CMD FILE\|python3 made\|python3 absent'
tool creatbyproc.d -- ./$me opens.py | grep -w "^CMD\|$me" | unnamed python3 | sed "s|$(pwd -P)|HERE|"
tool mmapfiles.d -n $me -- ./$me opens.py | unnamed python3 | sed "s|$(pwd -P)|HERE|" | grep 'FILE\|made'
