/* @flags: -q */
/* arguments of an action in a loop are evaluated from left to right, whichever of them have loops. */
int v, k;
int
look(void)
{
	for (k = 0; k < v + 20; k++)
		;
	return v;
}
BEGIN
{
	for (int i = 0; i < 3; i++)
		printf("%d %d %d %d %d\n", v, look(), ++v, look(), v++);
	exit(0);
}
