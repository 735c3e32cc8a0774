/* @flags: -q */
/* @filter: pc */
/* a fault in a function that is compiled once ends the clause, whether or not the same statement called it before. */
#pragma D option looplimit=100
int zero;
int g;
int
inner(int n)
{
	return n / zero;
}
int
outer(int n)
{
	g = g * 3 + n; g = g * 5 - n; g = g * 7 + n; g = g * 9 - n; g = g * 11 + n;
	g = g * 3 + n; g = g * 5 - n; g = g * 7 + n; g = g * 9 - n; g = g * 11 + n;
	return inner(g);
}
BEGIN { if (g) { inner(1); } else { printf("%d\n", outer(1)); } outer(2); outer(3); outer(4); outer(5); }
BEGIN { for (int i = 0; ; i++) { g = outer(outer(i)); } }
BEGIN { printf("reached\n"); exit(0); }
ERROR { printf("error %d in statement %d\n", arg4, arg2); }
