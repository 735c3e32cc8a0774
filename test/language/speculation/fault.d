/* A fault after speculate() leaves nothing of its clause; one before it, too. */
/* @filter: pc */
int zero;
BEGIN { self->spec = speculation(); }
BEGIN { speculate(self->spec); printf("gone"); printf("%d\n", 1 / zero); }
BEGIN { x = 1 / zero; speculate(self->spec); printf("gone, too\n"); }
BEGIN { speculate(self->spec); printf("kept\n"); }
BEGIN { commit(self->spec); }
BEGIN { exit(0); }
