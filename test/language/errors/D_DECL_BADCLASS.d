/* @flags: -xerrtags -e */
/* @status: 1 */
static int x;
BEGIN { exit(0); }
