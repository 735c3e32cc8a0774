/* sizes and offsets come from the running kernel */
/* @needs: btf */
BEGIN { printf("%d %d\n", sizeof (((struct task_struct *)0)->comm), sizeof (struct task_struct) > 1000); exit(0); }
