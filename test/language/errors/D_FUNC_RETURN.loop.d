/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int x) { while (x) { return 1; } }
BEGIN { trace(f(1)); }
