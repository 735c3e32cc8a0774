# errinfo: system calls of a known program that fail, with name and meaning; counts.
. "$suite/toolkit.sh"
cat > fails.py <<'Y'
import os
def fail(call, *arguments):
    try: call(*arguments)
    except OSError: pass
for _ in range(3): fail(os.rmdir, "absent")
fail(os.mkdir, ".")
fail(os.close, 777)
os.mkfifo("fifo")
fail(os.truncate, "fifo", 3)
os.remove("fifo")
Y
name_of_its_own python3
echo "as they occur"
tool errinfo -n $me -- ./$me fails.py | unnamed python3 | awk 'NR == 1 || $2 ~ /^(rmdir|mkdir|truncate)$/ || /EBADF/'
echo "counts"
tool errinfo -cn $me -- ./$me fails.py | unnamed python3 | awk 'NR == 1 || $2 ~ /^(rmdir|mkdir|truncate)$/' | sort
echo "another program: $(tool errinfo -n nosuch -- ./$me fails.py | grep -c rmdir)"
