/* Reading an element does not make it. */
/* @flags: -q -x dynvarsize=64 */
string s[int];
BEGIN
{
	printf("%d\n", a[1]);
	printf("%d %d\n", s[1] == NULL, s[1] == "");
	printf("%d\n", a[2] ? 1 : 0);
	a[3] = 3;
	printf("%d %d\n", a[1], a[3]);
	exit(0);
}
