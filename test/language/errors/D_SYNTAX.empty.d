/* @flags: -xerrtags -e */
/* @status: 1 */
struct foo`bar { };
BEGIN { exit(0); }
