/* An id above nspec is an illegal operation, for all three. */
/* @filter: pc */
#pragma D option nspec=2
BEGIN { speculate(3); printf("no\n"); }
BEGIN { commit(3); }
BEGIN { discard(-1); }
ERROR { printf("fault %d in statement %d\n", arg4, arg2); }
BEGIN { exit(0); }
