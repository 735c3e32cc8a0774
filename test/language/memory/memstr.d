/* memstr(): NULs become a character; memref(), printm(): memory as a value. */
/* @filter: pc id */
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[0] = 'a'; this->p[1] = 'b'; this->p[3] = 'c'; this->p[5] = 'd'; this->p[6] = 'e';
	printf("[%s]\n", memstr(this->p, ' ', 8));
	printf("[%s]\n", memstr(this->p, '.', 16));
	this->n = 5;
	printf("[%s]\n", memstr(this->p, '-', this->n));
	printf("[%s]\n", memstr(this->p, '-', 1));
	printf("[%s]\n", memstr(this->p, 0, 8));
	printf("%d %d\n", memstr(this->p, '-', 0) == NULL, memstr(this->p, '-', 1) == NULL);
	@[memstr(this->p, ' ', 7)] = count();
	@[memstr(this->p, 0, 7)] = count();
	@["ab"] = count();
	this->r = memref(this->p, 8);
	printf("%d %d\n", this->r[0] == (uintptr_t)this->p, this->r[1]);
	printm(8, this->r);
	printm(4, memref(this->p, 8));
	printm(16, memref(this->p, 3));
	printm(16, memref(this->p, 0));
}
BEGIN { printf("[%s]\n", memstr((void *)16, ' ', 4)); }
BEGIN { printm(4, memref((void *)16, 4)); }
BEGIN { this->c = (char *)&curthread->comm; printf("%d\n", memstr(this->c, '-', strlen(this->c) + 1) == execname); }
BEGIN { exit(0); }
