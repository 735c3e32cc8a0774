/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int, int b) { return 1; }
BEGIN { exit(0); }
