/* Trap 12: a clause that faults leaves no output; the next ones run. */
/* @filter: pc */
int zero;
BEGIN { printf("no\n"); trace(1 / zero); }
BEGIN { printf("next\n"); exit(0); }
