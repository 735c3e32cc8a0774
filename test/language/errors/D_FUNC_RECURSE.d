/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int x) { return x ? g(x - 1) : 0; }
int g(int x) { return h(x); }
int h(int x) { return f(x); }
BEGIN { trace(f(1)); }
