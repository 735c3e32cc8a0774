# speculate() before a loop holds for all turns; one that a turn calls holds for the rest, and break must follow it.
run() { _DTRACE_TESTING=1 "$dtrace" -n "$1" -n 'BEGIN { exit(0); }' 2>&1 | grep -v 'matched\|FUNCTION:NAME\|^$'; }
start='BEGIN { self->s = speculation(); }'
echo "-- committed, discarded"
loop='BEGIN { speculate(self->s); printf("maybe "); for (int i = 0; i < 3; i++) printf("%d ", i); printf("end"); }'
run "$start $loop BEGIN { printf(\"before\"); } BEGIN { commit(self->s); } BEGIN { printf(\"after\"); }"
run "$start $loop BEGIN { printf(\"before\"); } BEGIN { discard(self->s); } BEGIN { printf(\"after\"); }"
echo "-- found in turn 3, and not found"
for wanted in 3 9; do
	run "$start BEGIN { for (int i = 0; i < 5; i++) { if (i == $wanted) { speculate(self->s); printf(\"found %d \", i); break; } }
		for (int i = 0; i < 2; i++) printf(\"then %d \", i); }
		BEGIN { printf(\"before\"); } BEGIN { commit(self->s); } BEGIN { printf(\"after\"); }"
done
echo "-- commit() and discard() in a loop"
run "$start $loop BEGIN { for (int i = 0; i < 5; i++) if (i == self->s) { commit(i); break; } } BEGIN { printf(\"after\"); }"
run "$start $loop BEGIN { for (int i = 0; i < 5; i++) discard(i); } BEGIN { commit(self->s); } BEGIN { printf(\"after\"); }"
echo "-- one that is not active: the rest is skipped"
run "BEGIN { speculate(0); for (int i = 0; i < 3; i++) { printf(\"%d \", i); x++; } } BEGIN { printf(\"x is %d\", x); }"
