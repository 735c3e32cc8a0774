/* @flags: -xerrtags -e */
/* @status: 1 */
int twice(long);
int twice(int x) { return 2 * x; }
BEGIN { trace(twice(1)); }
