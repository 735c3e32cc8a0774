# A probe's name is an offset only if all of it is a number: the clauses of
# BEGIN, END, ERROR and of ticks do not run at instructions.
. "$suite/lib.sh"
"$dtrace" -qn 'pid$target:a.out:recurse: { @all = count(); }
	BEGIN { @other["BEGIN", probename] = count(); }
	END { @other["END", probename] = count(); }
	ERROR { @other["ERROR", probename] = count(); }
	tick-60s { @other["tick", probename] = count(); }
	profile-97 { @samples[probename] = count(); }
	END { printa("%s %s %@d\n", @other); printa("at instructions: %@d\n", @all); trunc(@samples); }' \
	-c "$triggers/stackswitch recurse 2 1" | sed 's/instructions: [1-9][0-9]*/instructions: some/'
for name in 0x 4g -1 +4 1ffffffffffffffff; do
	"$dtrace" -n "pid\$target:a.out:recurse:$name { }" -c "$triggers/stackswitch recurse 2 1" 2>&1 | grep -o "'[^']*' is an invalid probe name\|[Ii]nvalid.*number\|syntax error.*"
done
