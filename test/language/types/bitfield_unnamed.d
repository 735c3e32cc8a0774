/* unnamed bit-fields are room between members; one of width 0 ends a unit */
struct padded {
	int a : 3;
	int : 0;
	int b : 4;
	int : 5, c : 2;
	char : 7;
};

struct padded v;

BEGIN
{
	v.a = 3;
	v.b = 7;
	v.c = 1;
	printf("%d: %d %d %d\n", sizeof(struct padded), v.a, v.b, v.c);
	exit(0);
}
