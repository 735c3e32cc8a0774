/* @flags: -xerrtags -e */
/* @status: 1 */
int x;
BEGIN { trace(&x); }
