/* An id that no speculation() gave is ignored: nothing is kept, and nothing is said. */
/* @flags: -q -x nspec=4 */
BEGIN { speculate(5); printf("not kept\n"); }
BEGIN { m = -1; speculate(m); printf("not kept\n"); }
BEGIN { commit(1000000); }
BEGIN { discard(5); }
BEGIN { n = speculation(); speculate(n); printf("kept\n"); }
BEGIN { commit(n); }
BEGIN { printf("end\n"); exit(0); }
ERROR { printf("fault %d in statement %d\n", arg4, arg2); }
