/* @flags: -xerrtags -e */
/* @status: 1 */
int a[static int];
BEGIN { exit(0); }
