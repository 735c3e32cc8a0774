/* @flags: -xerrtags -e */
/* @status: 1 */
extern nosuch;
BEGIN { exit(0); }
