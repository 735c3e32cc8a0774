/* alloca(): zeroed, written and read through pointers of any type, shared by the firing. */
struct t { int a; char s[8]; long b; int low:4, high:12; };
BEGIN
{
	this->p = (char *)alloca(16);
	printf("%d %d\n", this->p[0], this->p[15]);
	this->p[3] = 'x';
	*this->p = 'y';
	*(this->p + 1) = this->p[3] + 1;
	printf("%c%c%c\n", this->p[0], this->p[1], this->p[3]);
	this->n = 3;
	this->p[this->n]++;
	printf("%c\n", this->p[this->n]);
	this->q = (struct t *)alloca(sizeof (struct t));
	this->q->a = 5;
	this->q->b = -77;
	this->q->s[2] = 'z';
	this->q->high = 100;
	this->q->low = -1;
	printf("%d %d %c %d %d\n", this->q->a, this->q->b, this->q->s[2],
	    this->q->low, this->q->high);
	this->copy = *this->q;
	this->q->a = 6;
	printf("%d %d\n", this->copy.a, this->q->a);
	*((int *)alloca(4)) = 1;
	printf("%d %d\n", alloca(0) == alloca(0), alloca(8) == alloca(8));
}
BEGIN
{
	printf("%c %d\n", this->p[0], this->q->a);
	exit(0);
}
