/* NULL is an integer constant, 8 bytes, that also fits pointers and strings */
string s;
struct pair { int *p; } pair;

BEGIN
{
	printf("%d %d %d\n", sizeof (NULL), NULL, arg1 != NULL);
	x = NULL;
	x = 5;
	printf("%d %d\n", x, x == NULL);
	p = curthread;
	printf("%d %d", p == NULL, NULL != p);
	p = NULL;
	printf(" %d %d\n", p == NULL, !p);
	s = "a";
	printf("%d", s == NULL);
	s = NULL;
	printf(" %d %d\n", s == NULL, strstr("abc", "x") == NULL);
	pair.p = NULL;
	this->q = pid ? NULL : curthread;
	printf("%d %d %d\n", pair.p == NULL, this->q == NULL, (NULL + 1) * 3);
	y = NULL;
	y = curthread;
	self->z = NULL;
	self->z = 0x123456789a;
	printf("%d %x\n", y == curthread, self->z);
	a[NULL] = 7;
	printf("%d %d\n", a[0], a[(long)NULL]);
}
BEGIN /arg1 != NULL/ { printf("not reached\n"); }
BEGIN /arg1 == NULL && pid != NULL/ { exit(0); }
