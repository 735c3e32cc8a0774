/* @flags: -xerrtags -e */
/* @status: 1 */
unsigned void *c;
BEGIN { exit(0); }
