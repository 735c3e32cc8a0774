/* @flags: -xerrtags -e */
/* @status: 1 */
unsigned float c;
BEGIN { exit(0); }
