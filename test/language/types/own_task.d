/* A script's structure that has the name of one of the kernel's does not change built-in variables. */
struct task_struct { int pad; int tgid; int pid; struct task_struct *real_parent; };
struct upid { char nr; };
struct path { int mnt, dentry; };
struct mm_struct { int exec_vm; };
BEGIN { self->a[1] = 1; printf("%d %d %d\n", ppid > 0, nstid > 0, strlen(cwd) > 0); exit(0); }
END { printf("%d\n", self->a[1]); }
