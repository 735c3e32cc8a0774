/* BEGIN runs without the cleaner: a discarded buffer is still busy. */
/* @flags: -q -x droptags */
BEGIN { a = speculation(); discard(a); }
BEGIN { b = speculation(); printf("%d %d\n", a, b); exit(0); }
