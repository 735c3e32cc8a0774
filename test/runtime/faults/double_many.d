/* Two of them are plural; with their tag. */
/* @filter: pc */
/* @flags: -q -x droptags */
int zero;
BEGIN { trace(1 / zero); }
BEGIN { trace(1 / zero); }
ERROR { trace(2 / zero); }
BEGIN { exit(0); }
