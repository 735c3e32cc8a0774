/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int x) { printf("%d\n", x); return x; }
BEGIN { y = f(1); }
