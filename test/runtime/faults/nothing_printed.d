/* A clause that faults leaves nothing of itself in the output; assignments stay. */
/* @filter: pc */
/* @flags: */
int zero;
BEGIN { printf("before"); x = 1; trace(1 / zero); x = 2; printf("behind"); }
BEGIN { printf("x = %d", x); }
BEGIN { exit(0); }
