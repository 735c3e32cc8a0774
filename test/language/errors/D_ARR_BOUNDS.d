/* @flags: -xerrtags -e */
/* @status: 1 */
int a[4];
BEGIN { a[4] = 1; }
