/* @flags: -xerrtags -e */
/* @status: 1 */
enum e { A = pid };
BEGIN { exit(0); }
