/* @flags: -xerrtags -e */
/* @status: 1 */
string f(int x) { return x; }
BEGIN { trace(f(1)); }
