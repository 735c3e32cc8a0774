/* a translator makes one struct look like another */
/* @needs: btf */
struct outs { int id; string name; };
translator struct outs < struct task_struct *T > { id = T->pid; name = stringof(T->comm); };
BEGIN { printf("%d %s\n", xlate < struct outs * > (curthread)->id == tid, xlate < struct outs * > (curthread)->name); exit(0); }
