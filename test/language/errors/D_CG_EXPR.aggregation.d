/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int x) { @[x] = count(); return x; }
BEGIN /f(1)/ { exit(0); }
