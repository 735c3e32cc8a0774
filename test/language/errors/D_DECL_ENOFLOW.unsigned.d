/* @flags: -xerrtags -e */
/* @status: 1 */
enum e { A = 3000000000 };
BEGIN { exit(0); }
