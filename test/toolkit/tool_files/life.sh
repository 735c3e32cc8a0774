# vfslife.d: names of files that a known program makes and removes, in order.
. "$suite/toolkit.sh"
cat > lives.py <<'Y'
import os
os.mkdir("directory")
open("directory/one", "w").close()
os.link("directory/one", "directory/two")
os.symlink("one", "directory/three")
os.rename("directory/two", "directory/four")
for name in "one", "three", "four": os.unlink("directory/" + name)
try: os.unlink("directory/absent")
except OSError: pass
os.rmdir("directory")
Y
name_of_its_own python3
tool vfslife.d -n $me -- ./$me lives.py | unnamed python3 | sed "s|$(pwd -P)|HERE|" |
	awk 'NR == 1 { print } /directory/ { print $7, $8, $9 }'
