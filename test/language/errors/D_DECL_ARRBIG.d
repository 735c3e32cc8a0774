/* @flags: -xerrtags -e */
/* @status: 1 */
int a[0x7fffffffffffffff];
BEGIN { exit(0); }
