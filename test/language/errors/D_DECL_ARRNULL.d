/* @flags: -xerrtags -e */
/* @status: 1 */
int a[];
BEGIN { exit(0); }
