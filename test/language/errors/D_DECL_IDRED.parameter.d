/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int x) { int x = 1; return x; }
BEGIN { trace(f(1)); }
