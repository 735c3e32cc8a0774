/* No room: the store is lost and counted; others are kept. */
/* @flags: -q -x dynvarsize=64 */
BEGIN
{
	a[1] = 1;
	a[2] = 2;
	a[3]++;
	a[1]++;
	printf("%d %d %d\n", a[1], a[2], a[3]);
	exit(0);
}
