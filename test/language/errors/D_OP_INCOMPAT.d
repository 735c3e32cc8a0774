/* @flags: -xerrtags -e */
/* @status: 1 */
int x;
BEGIN { x = "text"; }
