/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { string m:3; };
BEGIN { exit(0); }
