/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int; };
BEGIN { exit(0); }
