/* @flags: -xerrtags -e */
/* @status: 1 */
int a[void, int];
BEGIN { exit(0); }
