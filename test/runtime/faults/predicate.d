/* A fault in a predicate: the clause does not run, the next one does. */
/* @filter: pc */
int zero;
BEGIN /1 / zero/ { printf("no\n"); }
BEGIN { printf("yes\n"); }
ERROR { printf("statement %d, code %d\n", arg2, arg4); }
BEGIN { exit(0); }
