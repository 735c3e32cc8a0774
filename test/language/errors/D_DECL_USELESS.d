/* @flags: -xerrtags -e */
/* @status: 1 */
int;
BEGIN { exit(0); }
