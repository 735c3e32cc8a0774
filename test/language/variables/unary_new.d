/* - + ~ ! make an int64_t of an element, self->x or this->x that nobody assigns */
BEGIN /!self->seen && !done["x", pid]/
{
	printf("%d %d %d %d\n", -p["x"], +self->a[1], ~this->b, !this->c);
	printf("%d %d %d\n", sizeof (p["x"]), sizeof (self->a[1]), sizeof (this->b));
	printf("%d\n", !self->later);
	self->later = curthread;
	printf("%d\n", !self->later);
	++this->d;
	self->e--;
	f["y"]++;
	printf("%d %d %d\n", this->d, self->e, f["y"]);
	exit(0);
}
