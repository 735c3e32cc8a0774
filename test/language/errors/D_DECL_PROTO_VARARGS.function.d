/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int, ...);
BEGIN { exit(0); }
