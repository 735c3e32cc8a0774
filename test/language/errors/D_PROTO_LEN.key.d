/* @flags: -xerrtags -e */
/* @status: 1 */
int a[int, int];
BEGIN { a[1] = 2; }
