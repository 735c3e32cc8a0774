/* @flags: -xerrtags -xamin=Evolving/Evolving/Common -e */
/* @status: 1 */
int f(void) { return curthread->pid; }
BEGIN { trace(f()); }
