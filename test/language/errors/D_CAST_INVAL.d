/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int m; };
BEGIN { trace((struct s)1); }
