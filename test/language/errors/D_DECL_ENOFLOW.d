/* @flags: -xerrtags -e */
/* @status: 1 */
enum e { A = 0x7fffffff, B };
BEGIN { exit(0); }
