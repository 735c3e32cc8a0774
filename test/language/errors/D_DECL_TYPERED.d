/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int m; };
struct s { int n; };
BEGIN { exit(0); }
