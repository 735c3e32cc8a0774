/* @flags: -xerrtags -e */
/* @status: 1 */
self int f(int x) { return x; }
BEGIN { trace(f(1)); }
