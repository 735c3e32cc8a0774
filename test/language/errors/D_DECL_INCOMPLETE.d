/* @flags: -xerrtags -e */
/* @status: 1 */
struct nosuchstruct x;
BEGIN { exit(0); }
