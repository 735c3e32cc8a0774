/* @flags: -xerrtags -e */
/* @status: 1 */
int float x;
BEGIN { exit(0); }
