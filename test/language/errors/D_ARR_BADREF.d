/* @flags: -xerrtags -e */
/* @status: 1 */
int x;
BEGIN { x[1, 2] = 1; }
