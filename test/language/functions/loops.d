/* loops in functions, functions in loops */
int total(int n) { int s = 0; for (int i = 1; i <= n; i++) s += i; return s; }
int place(string s, char c)
{
	int i;

	for (i = 0; i < 20; i++) {
		if (s[i] == c)
			return i;
		if (s[i] == '\0')
			break;
	}
	return -1;
}
int factorial(int n) { int r = 1; while (n > 1) { r *= n; n--; } return r; }
void upto(int n)
{
	for (int i = 0; i < n; i++) {
		printf("%d ", i);
		if (i == 3)
			return;
		printf("- ");
	}
	printf("all ");
}
void odd(int x) { if (x % 2 == 0) return; printf("[%d] ", x); }
BEGIN
{
	printf("%d %d %d\n", total(10), total(total(3)), factorial(5));
	printf("%d %d %d\n", place("hello", 'l'), place("hello", 'z'), place("hello", 'h'));
	all = 0;
	for (int i = 0; i < 4; i++)
		all += total(i);
	printf("%d\n", all);
}
BEGIN
{
	upto(2);
	upto(10);
	printf("\n");
}
BEGIN
{
	for (int j = 0; j < 4; j++)
		odd(j);
	printf("\n");
	exit(0);
}
