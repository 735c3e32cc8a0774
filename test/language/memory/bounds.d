/* Outside of what was taken is an invalid address; too much is out of scratch space. */
/* @filter: pointer pc id */
BEGIN { this->w = (int *)alloca(8); this->w[1] = 1; printf("%d\n", this->w[1]); }
BEGIN { this->w = (int *)alloca(8); this->w[2] = 1; printf("no\n"); }
BEGIN { this->w = (int *)alloca(8); printf("%d\n", this->w[2]); }
BEGIN { this->w = (int *)alloca(8); printf("%d\n", this->w[-100]); }
BEGIN { printf("%d\n", *(int *)alloca(0)); }
BEGIN { this->n = 10000; printf("%p\n", alloca(this->n)); }
BEGIN { this->w = (int *)alloca(4096); printf("fits\n"); }
BEGIN { this->w = (int *)alloca(4088); this->w = (int *)alloca(16); printf("no\n"); }
BEGIN { this->k = (int *)curthread; this->k[3] = 1; printf("no\n"); }
BEGIN { printf("%d\n", *(int *)copyin(16, 4)); }
BEGIN { exit(0); }
