/* @flags: -xerrtags -e */
/* @status: 1 */
this int a[int];
BEGIN { exit(0); }
