/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int a[int]; };
BEGIN { exit(0); }
