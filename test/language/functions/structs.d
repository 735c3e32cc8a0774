/* structs are passed and returned by value */
struct point { int x, y; };
struct point origin, there;
struct point mirrored(struct point p)
{
	p.x = -p.x;
	return p;
}
int norm(struct point p) { return p.x * p.x + p.y * p.y; }
struct point choose(int n)
{
	if (n)
		return there;
	return origin;
}
int prio_of(struct task_struct *t) { return t->prio; }
BEGIN
{
	there.x = 3;
	there.y = 4;
	printf("%d %d\n", norm(there), norm(origin));
	this->m = mirrored(there);
	printf("%d %d, %d %d\n", this->m.x, this->m.y, there.x, there.y);
	printf("%d %d\n", norm(choose(1)), norm(choose(0)));
	printf("%d\n", mirrored(mirrored(there)).x);
	printf("%d\n", prio_of(curthread) == curthread->prio);
	exit(0);
}
