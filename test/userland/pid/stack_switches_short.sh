# The same as stack_switches.sh with less of everything: programs that switch or
# leave their stacks print what they print untraced, and what was entered has
# returned, but for what was left by a jump.
. "$suite/lib.sh"
program=$triggers/stackswitch
for way in ucontext longjmp clone tail; do
	echo "-- $way"
	"$program" $way 20 7 > untraced
	rm -f counts
	"$dtrace" -q -o counts -n 'pid$target:a.out::entry { @entered[probefunc] = count(); }
		pid$target:a.out::return { @returned[probefunc] = count(); }
		pid$target:libc:*context:return, pid$target:libc:clone:return { @all = count(); }
		END { printa("%s %@d %@d\n", @entered, @returned); trunc(@all); }' \
		-c "$program $way 20 7" > traced 2>&1
	diff untraced traced
	awk 'NF == 3 && $2 != $3 && $1 !~ /^_/' counts | sort
done
