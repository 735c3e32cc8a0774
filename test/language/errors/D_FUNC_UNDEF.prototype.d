/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int);
BEGIN { trace(f(1)); }
