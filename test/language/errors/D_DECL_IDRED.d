/* @flags: -xerrtags -e */
/* @status: 1 */
int x;
string x;
BEGIN { exit(0); }
