/* self-> and this-> of every type: strings, structs, unions, fixed arrays, pointers; 0 and NULL. */
struct inner { char c; short s[3]; };
struct outer { int a; struct inner in; union { long l; int half[2]; } u; };
self struct outer o;
self int row[4];
self string text;
this struct outer t;
this char name[8];
this int squares[4];
BEGIN
{
	self->o.a = 1;
	self->o.in.c = 'c';
	self->o.in.s[2] = -3;
	self->o.u.l = 0x100000002;
	self->row[3] = 9;
	self->text = "kept";
	this->t = self->o;
	this->t.in.s[0] = 7;
	this->squares[2] = 4;
	this->name[1] = 'n';
}
BEGIN
{
	printf("%d %c %d %d %d\n", self->o.a, self->o.in.c, self->o.in.s[2],
	    self->o.u.half[0], self->o.u.half[1]);
	printf("%d %d [%s]\n", self->row[0], self->row[3], self->text);
	printf("%d %d %d %d\n", this->t.a, this->t.in.s[0], this->t.in.s[2],
	    self->o.in.s[0]);
	printf("%d %d %c\n", this->squares[2], this->squares[3], this->name[1]);
	printf("%d %d\n", self->text == NULL, self->none == NULL);
	self->text = NULL;
	printf("%d\n", self->text == NULL);
	self->o = 0;
	printf("%d %d\n", self->o.a, self->o.u.l);
	self->none = "now";
	printf("%s\n", self->none);
	exit(0);
}
