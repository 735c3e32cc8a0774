/* @flags: -xerrtags -e */
/* @status: 1 */
int f(struct task_struct *t) { return t->pid; }
BEGIN { trace(f(execname)); }
