# The kernel's stack is on top of the user's, other keys are at the bottom, and each key has a file of its own if asked for.
. "$suite/lib.sh"
python3 - "$dtrace" <<'PY'
import os, subprocess, sys
dtrace = sys.argv[1]
program = """rawtp:raw_syscalls::sys_enter /pid == $target && args[1] == 39/ { @[cpu, stack(), ustack(), execname] = count(); }"""
command = "python3 -c 'import os; [os.getppid() or os.getpid() for i in range(50)]'"
def run(*flags):
    return subprocess.run([dtrace, "-x", "folded=s.folded", *flags, "-qn", program, "-c",
                           "python3 -c 'import os; [os.getpid() for i in range(50)]'"], stdout=subprocess.DEVNULL).returncode
print("status", run())
lines = [line.rsplit(" ", 1) for line in open("s.folded")]
print("weights", sum(int(n) for _, n in lines))
for stack, _ in lines:
    frames = stack.split(";")
    kernel = ["vmlinux`" in f for f in frames]
    first = kernel.index(True)
    print(frames[0].split()[0] == "cpu", frames[1], all(kernel[first:]), first > 4, "getpid" in frames[first - 1])
    break
print("status", run("-x", "flameby=execname"), os.path.exists("s-python3.folded"))
one = open("s-python3.folded").readline()
print("without its key", one.startswith("cpu "), "python3;" not in one)
print("status", run("-x", "flameby=1"), [f for f in os.listdir() if f.startswith("s-cpu_")] != [])
PY
