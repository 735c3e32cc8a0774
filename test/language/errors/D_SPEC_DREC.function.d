/* @flags: -xerrtags -e */
/* @status: 1 */
void show(int x) { trace(x); }
BEGIN { show(1); speculate(1); }
