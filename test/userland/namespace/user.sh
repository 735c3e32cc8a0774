# In a PID namespace: probes of a process, names of its addresses, stacks in keys
# with the process in front, providers of static probes.
. "$suite/lib.sh"
inside() {
	unshare -pf --mount-proc "$dtrace" "$@"
}
echo "functions"
inside -qn 'pid$target::main:entry, pid$target::main:return { printf("%s %d\n", probename, probeprov == "pid'\''$target'\''" || pid == $target); }' \
	-c "$triggers/calls now getppid 1" 2>&1
echo "stack"
inside -qn 'syscall::getppid:entry /pid == $target/ { @[pid == $target, ustack(3), usym(ucaller), umod(ucaller)] = count(); }' \
	-c "$triggers/calls now getppid 7" | sed 's/+0x[0-9a-f]*//; s/  */ /g; s/ $//'
echo "static probes"
inside -qn 'sites$target:::wide { printf("%d %d\n", probeprov == strjoin("sites", lltostr(pid)), pid == $target); }' \
	-c "$triggers/sites now 1" | grep -v semaphore
inside -qn 'sites*:::wide { @[probeprov == strjoin("sites", lltostr(pid))] = count(); }' \
	-c "$triggers/sites now 3 1 2" | grep -v semaphore
echo "running"
unshare -pf --mount-proc sh -c '
	"$0" getppid 3 &
	while [ "$(cut -d" " -f1 /proc/$!/syscall)" != 128 ]; do sleep 0.05; done
	"$1" -qn "syscall::getppid:entry /pid == \$target/ { @ = count(); } tick-10ms /!n++/ { system(\"kill -USR1 %d\", \$target); }" -w -p $!
	' "$triggers/calls" "$dtrace"
echo "/proc of another namespace"
unshare -pf "$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' -c "$triggers/calls now getppid 4" 2>&1
