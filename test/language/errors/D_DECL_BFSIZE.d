/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int m:33; };
BEGIN { exit(0); }
