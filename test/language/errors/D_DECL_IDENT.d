/* @flags: -xerrtags -e */
/* @status: 1 */
typedef nosuch;
BEGIN { exit(0); }
