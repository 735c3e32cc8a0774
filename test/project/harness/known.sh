# What tests find around them is what surroundings.py says, whoever starts them.
echo "-- signals"
grep -E '^(Sig|Shd)(Pnd|Blk|Ign)' /proc/self/status
echo "-- limits"
# soft ones, but for two that the kernel finds by the size of the memory
sed '1d; /^Max \(processes\|pending\)/d' /proc/self/limits | cut -c 1-42 | sed 's, *$,,'
echo "-- environment"
tr '\0' '\n' < /proc/$$/environ | grep -v '^DTRACE_TEST_GUEST=' | sed "s,$PWD\$,{scratch},; s,=$test\$,={here}," |
	sed '/^\(dtrace\|suite\|triggers\|again\)=/s/=.*/={given}/' | grep -v '^[A-Z]*SAN_OPTIONS=\|^LOOKS=' | sort
case $PWD in /tmp/*) ;; *) echo "the scratch directory is $PWD" ;; esac
ls -A
echo "-- descriptors"
readlink /proc/$$/fd/0
python3 -c 'import os; print("others:", *(fd for fd in range(3, 1024) if os.path.exists(f"/proc/self/fd/{fd}")))'
echo "-- the rest"
umask
python3 - <<'Y'
import os
print("niceness", os.getpriority(os.PRIO_PROCESS, 0), "policy", os.sched_getscheduler(0))
before = os.sched_getaffinity(0)
os.sched_setaffinity(0, range(os.sysconf("SC_NPROCESSORS_CONF")))
print("all CPUs", os.sched_getaffinity(0) == before)
Y
echo "oom_score_adj $(cat /proc/self/oom_score_adj), personality $(cat /proc/self/personality)"
# session, process group, terminal
awk '{ print ($6 == $1) ? "a session of its own" : "a session of others", ($7 == 0) ? "without a terminal" : "with a terminal" }' /proc/$$/stat
echo "debug packages:" $(ls -A /usr/lib/debug 2>/dev/null | grep -v '^\.build-id$')
