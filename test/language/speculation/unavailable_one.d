/* One failure is singular; with its tag. */
/* @flags: -q -x droptags */
BEGIN { a = speculation(); b = speculation(); printf("%d %d\n", a, b); exit(0); }
