/* @flags: -q */
/* arguments and results have the size of their types, whatever a variable of that type holds. */
unsigned char v;
unsigned char inverse(unsigned char x) { return ~x; }
int as_int(unsigned char x) { return x; }
BEGIN
{
	v = 0x1ff;
	printf("%d %d\n", inverse(0) + 0, as_int(v) + 0);
	v = 0;
	printf("%d\n", as_int(~v) + 0);
	exit(0);
}
