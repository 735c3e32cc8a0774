/* print() of structs: one member a line; the last brace ends no line. */
struct inner { int x; char name[4]; };
struct outer {
	int a;
	unsigned b:3;
	int c:5;
	void *p;
	struct inner in[2];
	union { long l; char first; } u;
	char text[8];
	int arr[3];
	struct { short s; } anonymous;
	unsigned long long big;
};
struct outer o;
BEGIN { o.a = -1; o.b = 5; o.c = -2; o.p = (void *)0x1234; o.u.l = 65; o.arr[1] = 9; o.big = 0xffffffffffffffff; o.in[1].x = 16; o.anonymous.s = 2; }
BEGIN { print(o); exit(0); }
