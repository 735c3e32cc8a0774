/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int f(int); };
BEGIN { exit(0); }
