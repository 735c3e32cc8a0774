/* What does not fit specsize is dropped and counted; the rest is committed. */
#pragma D option specsize=100
BEGIN { self->spec = speculation(); }
BEGIN { speculate(self->spec); printf("one %d\n", 1LL); }
BEGIN { speculate(self->spec); printf("two %d\n", 2LL); }
BEGIN { speculate(self->spec); printf("three %d\n", 3LL); }
BEGIN { speculate(self->spec); printf("four %d\n", 4LL); }
BEGIN { speculate(self->spec); printf("five %d\n", 5LL); }
BEGIN { commit(self->spec); }
BEGIN { exit(0); }
