/* @flags: -xerrtags -e */
/* @status: 1 */
extern nosuch_t x;
BEGIN { exit(0); }
