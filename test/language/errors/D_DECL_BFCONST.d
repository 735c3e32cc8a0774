/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int m:pid; };
BEGIN { exit(0); }
