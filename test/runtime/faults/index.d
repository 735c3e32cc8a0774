/* an index outside a fixed array */
/* @filter: pc */
int a[4];
BEGIN { i = 9; trace(a[i]); }
BEGIN { exit(0); }
