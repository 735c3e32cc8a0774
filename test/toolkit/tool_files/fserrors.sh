# fserrors.d: failed calls about paths and about open files.
. "$suite/toolkit.sh"
cat > fails.py <<'Y'
import os
def fail(call, *arguments):
    try: call(*arguments)
    except OSError: pass
fail(os.open, "absent", os.O_RDONLY)
fail(os.rmdir, "there")
fail(os.truncate, ".", 0)
fd = os.open("there", os.O_RDONLY)
fail(os.write, fd, b"x")
fail(os.pread, fd, 1, -1)
os.close(fd)
Y
touch there
name_of_its_own python3
tool fserrors.d -n $me -- ./$me fails.py | unnamed python3 | sed "s|$(pwd -P)|HERE|" |
	grep -E 'PROCESSES|rmdir|truncate|^python3 (write|pread64|openat 2 absent$)'
