/* -C runs the preprocessor */
/* @flags: -q -C -DEXTRA=2 */
#define N 42
#ifdef EXTRA
BEGIN { printf("%d\n", N + EXTRA); exit(0); }
#endif
