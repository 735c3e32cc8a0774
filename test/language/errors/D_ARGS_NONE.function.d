/* @flags: -xerrtags -e */
/* @status: 1 */
int f(int x) { return args[0] + x; }
syscall::read:entry { trace(f(1)); }
