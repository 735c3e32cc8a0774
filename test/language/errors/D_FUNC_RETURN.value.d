/* @flags: -xerrtags -e */
/* @status: 1 */
void f(int x) { return x; }
BEGIN { f(1); }
