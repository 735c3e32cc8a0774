# A new process loads its registers at its first step to user mode: 100
# processes, 100 times.
. "$suite/lib.sh"
need_probe fpuinfo:::fpu_regs_activated
cat > run.py <<'Y'
import os
for i in range(100):
    if os.fork() == 0:
        os._exit(0)
    os.wait()
Y
"$dtrace" -qn 'fpuinfo:::fpu_regs_activated /ppid == $target && !seen[pid]/ { seen[pid] = 1; @ = sum(args[0]); }
fpuinfo:::fpu_regs_activated /pid == $target && args[1] != NULL && !once/ { once = 1; printf("kept somewhere\n"); }
END { printa("%@d processes\n", @); }' -c 'python3 run.py'
