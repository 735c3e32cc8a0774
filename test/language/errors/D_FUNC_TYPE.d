/* @flags: -xerrtags -e */
/* @status: 1 */
typedef int four[4];
four f(int x) { return x; }
BEGIN { trace(f(1)); }
