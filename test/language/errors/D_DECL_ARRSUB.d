/* @flags: -xerrtags -e */
/* @status: 1 */
int a[-1];
BEGIN { exit(0); }
