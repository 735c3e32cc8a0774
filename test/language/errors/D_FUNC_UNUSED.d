/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int a, int b) { return a; }
BEGIN { trace(f(1, 2)); }
