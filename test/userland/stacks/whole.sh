# Whole stacks without frame pointers of processes that are new and end at once:
# a program of -c; through a signal's handler; through a library that was loaded
# at run time; in a child.  ustack() as a record and as a key.
. "$suite/lib.sh"
trace() {
	"$dtrace" -qn 'syscall::getppid:entry /pid == $target || ppid == $target/ { ustack(); }' -c "$triggers/handler $*" | plain_stack
}
trace plain
trace signal
trace plugin "$triggers/plugin.so"
trace forked
echo executed
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(4); }' -c "env $triggers/handler plain" | sed 's/+0x[0-9a-f]*//'
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); @n[usym(ucaller), umod(ucaller)] = count(); }' \
	-c "$triggers/handler plain" | sed 's/+0x[0-9a-f]*//'
