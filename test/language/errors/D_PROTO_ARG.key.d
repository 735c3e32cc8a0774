/* @flags: -xerrtags -e */
/* @status: 1 */
int a[string];
BEGIN { a[1] = 2; }
