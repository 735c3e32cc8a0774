/* @flags: -xerrtags -e */
/* @status: 1 */
int twice(int x) { return 2 * x; }
long twice(long x) { return 2 * x; }
BEGIN { trace(twice(1)); }
