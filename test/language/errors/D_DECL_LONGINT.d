/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int m; };
long struct s c;
BEGIN { exit(0); }
