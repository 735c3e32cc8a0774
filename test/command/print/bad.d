/* A bad address is a fault, and nothing is printed. */
/* @filter: pc */
BEGIN { printf("not seen\n"); print((struct task_struct *)16); }
BEGIN { exit(0); }
