/* All clauses of ERROR run, in order; several faults of one firing each have theirs. */
/* @filter: pc */
int n;
int zero;
BEGIN { trace(1 / zero); }
BEGIN { trace(2 / zero); }
ERROR { printf("first %d\n", n++); }
ERROR /n == 2/ { printf("second\n"); }
BEGIN { printf("%d faults\n", n); exit(0); }
