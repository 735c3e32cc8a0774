/* Discarded data is gone; what else the clauses did stays done. */
BEGIN { self->spec = speculation(); }
BEGIN { speculate(self->spec); printf("never seen\n"); x = 17; }
BEGIN { discard(self->spec); }
BEGIN { commit(self->spec); }
BEGIN { printf("x is %d\n", x); exit(0); }
