/* Trap 17: ids start at 1; 0 is harmless; committing without data is, too. */
#pragma D option nspec=2
BEGIN { printf("%d\n", a = speculation()); }
BEGIN { discard(0); commit(0); }
BEGIN { speculate(0); printf("no\n"); }
BEGIN { commit(a); }
BEGIN { commit(a); }
BEGIN { printf("fine\n"); exit(0); }
