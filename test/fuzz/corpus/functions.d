int twice(int x) { return 2 * x; }
int64_t fib(int n)
{
	int64_t a = 0, b = 1;

	for (int i = 0; i < n; i++) {
		int64_t c = a + b;
		a = b;
		b = c;
	}
	return a;
}
string name(char *p) { if (!p) return "none"; return stringof(p); }
void note(int x, string s)
{
	if (x < 0)
		return;
	@calls[s] = sum(x);
	printf("%s %d\n", s, later(x));
}
int later(int x) { while (x > 3) { if (x == 5) return x; x = x - 2; } return -x; }
void nothing(void) { ; }
BEGIN /fib(7) == 13/ { note(twice(3), name("a")); nothing(); }
BEGIN { note(fib(twice(4)), strjoin(name(0), execname)); x = later(fib(5)) ? twice(1) : 0; }
syscall::read:entry { note(later(arg2), name((userland char *)arg1)); }
