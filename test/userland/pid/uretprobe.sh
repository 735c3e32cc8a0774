# Deep recursion: every return is seen.  In the kernel's way (-x uretprobe) those
# below 64 nested calls are not, and that is said, to the last one.
. "$suite/lib.sh"
depth=100000
[ -n "$again" ] && depth=1000
program='pid$target:a.out:recurse:entry { @entered = count(); } pid$target:a.out:recurse:return { @returned = count(); }
	END { printa("entered %@d\n", @entered); printa("returned %@d\n", @returned); }'
"$dtrace" -qn "$program" -c "$triggers/stackswitch recurse $depth 1" > out 2>&1
awk -v depth=$depth '/entered/ { entered = $2 } /returned [0-9]/ { returned = $2 } /drop/
	END { print entered == depth + 1, returned == entered }' out
"$dtrace" -x uretprobe -qn "$program" -c "$triggers/stackswitch recurse 500 1" 2>&1 |
	awk '/entered|returned [0-9]/ { print $1, $2 } / drops of returns nested more than 64 deep/ { drops += $2 } END { print drops, "drops" }'
# the value is there in both ways, and the offset of the return, where it is known
for option in quiet uretprobe; do
	"$dtrace" -x $option -qn 'pid$target:a.out:jumped_to:return { @[arg1 > 0, arg0] = count(); }
		END { printa("%d %x\n", @); }' -c "$triggers/stackswitch tail 3 1" | grep '^1 '
done
