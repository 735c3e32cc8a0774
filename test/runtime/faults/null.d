/* a bad address ends the clause; the next one runs */
/* @filter: pc */
BEGIN { printf("before "); trace(*(int *)0); printf("after\n"); }
BEGIN { printf("next\n"); exit(0); }
