/* @flags: -xerrtags -e */
/* @status: 1 */
short char c;
BEGIN { exit(0); }
