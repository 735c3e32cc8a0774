/* functions take and return integers as C does; calls may stand above definitions and in each other */
int64_t elapsed(int64_t since) { return timestamp - since; }
int plus(int a, int b) { return a + b; }
int greater(int a, int b)
{
	if (a > b)
		return a;
	return b;
}
int sign(int64_t x)
{
	if (x < 0)
		return -1;
	else if (x > 0)
		return 1;
	else
		return 0;
}
char low_byte(int x) { return x; }
uint8_t low_byte_unsigned(int x) { return x; }
static inline int doubled(int x) { x += x; return x; }
inline int tripled(int x) { return 3 * x; }
int tripled(int);
int answer(void) { return 42; }
int ignore(int, int b) { return b; }
void nothing() { }
int is_even(int n) { return n % 2 ? 0 : 1; }
BEGIN
{
	printf("%d\n", elapsed(timestamp) == 0 && elapsed(0) > 0);
	printf("%d %d\n", plus(plus(1, 2), plus(3, 4)), plus(plus(plus(1, 1), 1), 1));
	printf("%d %d\n", greater(3, greater(7, 5)), greater(-1, -2));
	printf("%d %d %d\n", sign(-5), sign(0), sign(5000000000));
	printf("%d %d\n", low_byte(0x1ff), low_byte_unsigned(0x1ff));
	printf("%d %d %d %d\n", doubled(21), tripled(14), answer(), ignore(1, 2));
	nothing();
	printf("%d %d\n", below(1), below(below(1)));
	x = is_even(4) ? plus(x = 5, 1) : 0;
	printf("%d\n", x);
}
BEGIN /is_even(2) && !is_even(3)/ { exit(0); }
int below(int x) { return further_below(x) * 10; }
int further_below(int x) { return x + 1; }
