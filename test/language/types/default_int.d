/* self x, this x and extern x declare int; extern T a[] declares no storage */
self x, *p;
this y;
this z[3];
self w[string];
extern v;
extern int a[], b[][4];
extern const char *const names[];
BEGIN
{
	self->x = -5;
	this->y = 6;
	this->z[2] = 7;
	self->w["k"] = 8;
	v = 9;
	printf("%d %d %d %d %d\n", self->x, this->y, this->z[2], self->w["k"], v);
	printf("%d %d %d %d %d %d\n", sizeof (self->x), sizeof (self->p), sizeof (this->y),
	    sizeof (this->z), sizeof (self->w["k"]), sizeof (v));
	exit(0);
}
int b[2];
END { b[1] = 3; printf("%d %d\n", b[1], sizeof (b)); }
