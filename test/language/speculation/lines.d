/* Committed records are lines like others; speculate() alone is one, too. */
/* @flags: */
BEGIN { self->spec = speculation(); }
BEGIN { speculate(self->spec); }
BEGIN { speculate(self->spec); trace("data"); }
BEGIN { commit(self->spec); }
BEGIN { exit(0); }
