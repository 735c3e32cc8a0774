/* END can commit; what nobody commits is never seen. */
#pragma D option nspec=2
BEGIN { a = speculation(); b = speculation(); }
BEGIN { speculate(a); printf("kept until END\n"); }
BEGIN { speculate(b); printf("nobody asked\n"); }
BEGIN { exit(0); }
END { commit(a); }
