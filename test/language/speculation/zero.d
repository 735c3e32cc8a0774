/* Speculation 0 and ids that are not active are harmless: the rest is skipped. */
#pragma D option nspec=4
BEGIN { discard(0); commit(0); }
BEGIN { before = 1; speculate(0); printf("no\n"); after = 1; }
BEGIN { discard(3); speculate(3); printf("no\n"); other = 1; }
BEGIN { printf("%d %d %d\n", before, after, other); exit(0); }
