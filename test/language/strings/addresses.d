/* A string stands for the address of its bytes, and its bytes can be assigned to. */
/* @filter: pc id */
this char *c;
char *global;
self string kept;
BEGIN
{
	this->b = (char *)alloca(32);
	bcopy("hello", this->b, 6);
	printf("%s\n", stringof(this->b));
	this->n = 4;
	bcopy(strjoin("wor", "ld"), this->b, this->n);
	printf("%s %s\n", stringof(this->b), (string)this->b);
	bcopy(probename, this->b, 6);
	printf("%s\n", stringof(this->b));
}
BEGIN
{
	this->c = execname;
	printf("%s %c %s\n", stringof(this->c), this->c[3], stringof(this->c + 1));
	this->i = (char *)"inferred";
	printf("%s %c %s %c\n", stringof(this->i), this->i[2], stringof(this->i + 2), *(this->i + 5));
	this->i[2] = 'F';
	printf("%s\n", stringof(this->i));
	global = "in this clause";
	printf("%s\n", stringof(global + 3));
	this->c = NULL;
	printf("%d\n", this->c == NULL);
}
BEGIN
{
	this->s = "abcdef";
	this->s[3] = 0;
	printf("[%s] %d %d\n", this->s, strlen(this->s), this->s == "abc");
	this->s[3] = 'D';
	printf("[%s]\n", this->s);
	this->s[0] -= 32;
	this->s[1]++;
	printf("[%s]\n", this->s);
	name["x"] = "element";
	name["x"][0] = 'E';
	self->kept = execname;
	self->kept[1] = 'R';
	all = "global";
	this->k = 2;
	all[this->k] = 'O';
	printf("%s %s %s\n", name["x"], self->kept, all);
	this->t = stringof(copyin(uregs[R_SP], 8));
	this->t[0] = 'x';
	this->t[1] = 0;
	printf("%s\n", this->t);
}
BEGIN { this->s[300] = 1; }
BEGIN { exit(0); }
