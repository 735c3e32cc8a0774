/* @flags: -xerrtags -e */
/* @status: 1 */
void x;
BEGIN { exit(0); }
