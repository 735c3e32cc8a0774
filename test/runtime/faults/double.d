/* A fault inside ERROR is counted, not reported; its other clauses run. */
/* @filter: pc */
int zero;
BEGIN { trace(1 / zero); }
ERROR { trace(2 / zero); }
ERROR { printf("still\n"); }
BEGIN { exit(0); }
