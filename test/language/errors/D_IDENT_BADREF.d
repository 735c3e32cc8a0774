/* @flags: -xerrtags -e */
/* @status: 1 */
int a[int];
BEGIN { trace(a); }
