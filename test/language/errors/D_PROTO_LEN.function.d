/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int x) { return x; }
BEGIN { trace(f()); }
