/* speculate() in a branch: data of that way is speculative, of the other not. */
#pragma D option nspec=2
BEGIN { a = speculation(); b = speculation(); }
BEGIN { if (a) { speculate(a); printf("in a\n"); } else { printf("not a\n"); } printf("behind\n"); }
BEGIN { if (!b) { speculate(b); printf("in b\n"); } printf("not in b\n"); }
BEGIN { discard(a); }
BEGIN { commit(b); }
BEGIN { exit(0); }
