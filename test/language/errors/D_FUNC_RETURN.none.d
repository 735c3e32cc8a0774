/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int x) { if (x) return; return 1; }
BEGIN { trace(f(1)); }
