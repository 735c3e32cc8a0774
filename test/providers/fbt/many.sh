# Thousands of functions by a glob where the kernel arms them together (it has
# fprobes), some elsewhere; and they are removed again.
# Interrupts may nest in the program: such drops are told.
. "$suite/lib.sh"
needs_functions
if grep -q ' register_fprobe_ips$' /proc/kallsyms; then
	names='[b-d]*:entry,fbt::vfs_*' least=5000
else
	names='vfs_r*' least=5
fi
"$dtrace" -n "fbt::$names:entry /pid == \$target && probefunc == \"vfs_read\"/ { @ = count(); }" \
	-c "$triggers/calls now read 100" > out 2> err
matched=$(sed -n 's/.*matched \([0-9]*\) probes/\1/p' err)
[ "$matched" -ge "$least" ] && echo "enough functions" || cat err
awk '/^ *[0-9]+$/ { print ($1 >= 100) ? "all reads" : $1 }' out
grep -v "matched\|has exited\|fired while their program ran" err
true
