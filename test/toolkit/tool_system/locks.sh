# lockbyproc.d, lockbydist.d: a thread that waits for one that the test holds back, for as long.
. "$suite/toolkit.sh"
need_probe lockstat:::adaptive-block
own_ext4 32m
trap 'fsfreeze -u there 2> /dev/null; umount -q $loop; losetup -d $loop' EXIT
# both write with one position in the file: the first holds its lock, and waits until
# the file system is thawed; the second waits for the lock
cat > wait.py <<'Y'
import ctypes, os, subprocess, sys, time
def write(file):
    ctypes.CDLL(None).prctl(15, b"held_back")
    os.write(file, b"x")
    os._exit(0)
def awaits(child):
    while open(f"/proc/{child}/stat").read().split(")")[1].split()[0] != "D":
        time.sleep(0.01)
file = os.open("there/file", os.O_CREAT | os.O_WRONLY)
subprocess.check_call(["fsfreeze", "-f", "there"])
children = []
for _ in range(2):
    child = os.fork()
    if not child:
        write(file)
    awaits(child)
    children += [child]
since = time.monotonic_ns()
time.sleep(0.1)
print(time.monotonic_ns() - since)
subprocess.check_call(["fsfreeze", "-u", "there"])
for child in children:
    os.waitpid(child, 0)
Y
tool lockbyproc.d -- python3 wait.py > all
awk -v least=$(cat command.out) '/CMD/; $1 == "held_back" { print $1, ($2 >= 1), ($3 >= least ? "as long" : $3 " of " least) }' all
tool lockbydist.d -- python3 wait.py > all
awk -v least=$(cat command.out) '/ \(ns\)/ { name = $1 } name == "held_back" && /\|/ && 2 * $1 > least { sum += $NF } END { print (sum >= 1 ? "as long" : "less than " least) }' all
