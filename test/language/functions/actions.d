/* actions and aggregations in functions are those of the clause that calls them */
void note(psinfo_t *p) { @n[p->pr_fname == execname] = count(); }
void show(int x)
{
	if (x == 0)
		return;
	printf("x=%d", x);
	if (x == 5) {
		printf(" five\n");
		return;
	}
	printf(" not five\n");
}
int traced(int x) { printf("traced %d\n", x); return x; }
void both(int x) { show(x); show(x + 1); }
void leave(int status) { printf("leaving\n"); exit(status); }
BEGIN
{
	note(curpsinfo);
	note(curpsinfo);
	show(1);
	show(0);
	show(5);
	traced(7);
	both(4);
	if (pid)
		show(9);
	else
		show(10);
	leave(0);
}
