/* Committed data appears in the place of the commit, in the order it was made. */
BEGIN { self->spec = speculation(); printf("id %d\n", self->spec); }
BEGIN { speculate(self->spec); printf("first %d\n", 1); }
BEGIN { printf("not speculative\n"); }
BEGIN { speculate(self->spec); printf("second %s\n", probename); }
BEGIN { commit(self->spec); }
BEGIN { printf("after the commit\n"); exit(0); }
