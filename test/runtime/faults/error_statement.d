/* ERROR's arg2 counts the statements of the clause that faulted, whichever it is. */
/* @stderr: any */
BEGIN { x = 1; y = *(int *)16; }
BEGIN { x = 2; x = 3; y = *(int *)17; }
BEGIN / *(int *)18/ { x = 2; }
BEGIN { x = *(int *)19; x = 3; }
BEGIN { y = 4; y = 5; y = 6; y = 7 / (x - x); }
BEGIN { exit(0); }
ERROR { printf("statement %d: fault %d, %d\n", arg2, arg4, arg5); }
