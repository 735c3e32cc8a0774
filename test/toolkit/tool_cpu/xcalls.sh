# xcallsbypid.d: a process that moves another one between CPUs calls them.
. "$suite/toolkit.sh"
need_probe sysinfo:::xcalls
[ $(getconf _NPROCESSORS_ONLN) -ge 2 ] || skip "one CPU has no other to call"
cat > move.py <<'Y'
import os
cpus = sorted(os.sched_getaffinity(0))
os.sched_setaffinity(0, cpus[:1])
child = os.fork()
while not child:
    pass
print(os.getpid())
for _ in range(300):
    for cpu in cpus[1], cpus[0]:
        os.sched_setaffinity(child, [cpu])
        os.sched_yield()
os.kill(child, 9)
Y
tool xcallsbypid.d -- python3 move.py > all
awk -v pid=$(cat command.out) '/PID/; $1 == pid && $2 == "python3" { print $2, ($3 > 0) }' all
