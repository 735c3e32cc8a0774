# A process that unwinds its stack: exceptions pass through functions whose
# returns are probed, and every return is seen, whichever way it is made.
. "$suite/lib.sh"
strip -o stripped "$triggers/thrower"
for program in "$triggers/thrower" ./stripped; do
	echo "-- ${program##*/}"
	"$dtrace" -qn 'pid$target:a.out:[cimjthsw]*:entry { @entered[probefunc] = count(); }
		pid$target:a.out:[cimjthsw]*:return { @returned[probefunc] = count(); }
		pid$target:a.out:middle:return { @values = sum(arg1); @where[ufunc(ucaller)] = count(); }
		END { printa("%-18s %@d %@d\n", @entered, @returned); printa("values %@d\n", @values); printa("called by %A\n", @where); }' \
		-c "$program 100" 2>&1 | sort
done
# the C library cannot be thrown through, unless it calls back
"$dtrace" -qn 'pid$target:libc:printf:return, pid$target:libc:puts:return
	{ printf("puts %d\n", arg1 > 0 && ucaller != 0); }
	pid$target:libc:*qsort*:entry { @ = count(); }
	pid$target:libc:*qsort*:return { printf("sorted\n"); }' -c "$triggers/thrower 2" | sort
