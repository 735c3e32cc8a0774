/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int x) { return x ? f(x - 1) : 0; }
BEGIN { trace(f(1)); }
