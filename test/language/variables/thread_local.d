/* self-> lives from probe to probe in one thread */
BEGIN { self->a = 7; self->s = "kept"; }
BEGIN { printf("%d %s\n", self->a, self->s); self->a = 0; }
BEGIN { printf("%d\n", self->a); exit(0); }
