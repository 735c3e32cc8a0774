/* Global and thread-local pointers keep what they point to: strings, copyin(). */
char *declared;
BEGIN
{
	self->s = (char *)execname;
	self->n = (char *)probename;
	global = (char *)strjoin("abc", "def");
	declared = "literal";
	this->page = uregs[R_SP] & ~4095;
	self->p = (char *)copyin(this->page, 16);
	this->first = ((char *)copyin(this->page, 16))[3];
	self->first = this->first;
	a[1] = (char *)strjoin("ele", "ment");
	self->none = (char *)execname;
	self->none = NULL;
}
/* another program, and other strings in scratch memory */
tick-10ms { this->x = (char *)strjoin("xxxxxxxx", "yyyyyyyyyyyyyyyyyyyyyyyyyyy"); ticks++; }
tick-10ms /ticks == 3/ { exit(0); }
END
{
	printf("%s %s %c\n", stringof(self->s), stringof(self->n), self->s[2]);
	printf("%s %s %s\n", stringof(global), stringof(global + 2), stringof(declared));
	printf("%d %d\n", self->p[3] == self->first, self->none == NULL);
	printf("%s %c\n", a[1], a[1][2]);
	global[0] = 'A';
	printf("%s\n", stringof(global));
	self->s = (char *)global;
	global = (char *)"changed";
	printf("%s\n", stringof(self->s));
}
