/* Local names are known in their block, hide others, and are 0 or "" each time they are declared. */
int i;
BEGIN
{
	i = 7;
	this->i = 8;
	int pid = 3, *p;
	{
		string pid = "inner";
		int i = 9;
		printf("%s %d %d\n", pid, i, this->i);
	}
	printf("%d %d %d %d\n", pid, i, this->i, p == NULL);
	if (pid == 3) {
		int pid = 4;
		pid++;
		printf("%d ", pid);
	} else {
		string pid;
		printf("[%s] ", pid);
	}
	printf("%d\n", pid);

	for (int i = 0; i < 3; i++) {
		int sum;
		string s;
		printf("%d[%s] ", sum, s);
		sum += i;
		s = "set";
	}
	for (int i = 0; i < 2; i++) {
		int i = 5;
		printf("%d ", i++);
	}
	printf("%d\n", i);

	int a[4];
	struct timespec64 t;
	for (int i = 0; i < 4; i++)
		a[i] = i * i;
	for (int i = 0; i < 4; i++)
		t.tv_sec += a[i];
	printf("%d %d\n", t.tv_sec, t.tv_nsec);

	pid_t file = 12;	/* a type of D, and a name like a struct's */
	uint8_t small = 200;
	small += 100;
	printf("%d %d\n", file * 2, small);
}
BEGIN
{
	/* other clauses do not see them */
	printf("%d %d\n", pid == $pid, i);
	exit(0);
}
