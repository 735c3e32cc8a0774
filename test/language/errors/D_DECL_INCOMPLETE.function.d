/* @flags: -xerrtags -e */
/* @status: 1 */
struct later;
int f(struct later s) { return 1; }
BEGIN { exit(0); }
