/* @flags: -xerrtags -e */
/* @status: 1 */
int x;
int x(int y) { return y; }
BEGIN { exit(0); }
