/* 0 frees an element, constant or not; NULL frees strings, 0 structs. */
/* @flags: -q -x dynvarsize=64 */
struct point { int x, y; };
struct point p[int];
string s[int];
BEGIN
{
	/* There is room for one element each: none of these may be dropped. */
	a[1] = 1; a[1] = 0;
	a[2] = 1; zero = 0; a[2] = zero;
	a[3] = 1; a[3]--;
	a[4] = 5; a[4] &= 2;
	a[5] = 9;
	printf("%d %d %d %d %d\n", a[1], a[2], a[3], a[4], a[5]);
	s[1] = "x"; s[1] = NULL;
	s[2] = "y"; s[2] = 0;
	s[3] = "z";
	printf("%d %d [%s] %d\n", s[1] == NULL, s[2] == NULL, s[3], s[3] == NULL);
	p[1].x = 1; p[1] = 0;
	p[2].x = 2;
	printf("%d %d\n", p[1].x, p[2].x);
	exit(0);
}
