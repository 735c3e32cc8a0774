/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int a; int a; };
BEGIN { exit(0); }
