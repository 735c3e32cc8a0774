/* @flags: -xerrtags -e */
/* @status: 1 */
enum e { A, A };
BEGIN { exit(0); }
