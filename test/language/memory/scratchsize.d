/* scratchsize is how much can be taken in a clause. */
/* @flags: -q -x scratchsize=2k */
/* @filter: pc id */
BEGIN { this->p = (char *)alloca(2000); this->p[1999] = 'x'; printf("%c\n", this->p[1999]); }
BEGIN { this->p = (char *)alloca(2000); this->p = (char *)alloca(48); printf("fits\n"); }
BEGIN { this->p = (char *)alloca(2048); this->n = 1; this->p = (char *)alloca(this->n); printf("no\n"); }
BEGIN { exit(0); }
