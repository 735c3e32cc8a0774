/* arrays of the kernel's structures with an index that is only known when it runs */
/* @filter: pc */
BEGIN { i = 2; printf("%d %d %d\n", curthread->comm[i] == curthread->comm[2],
    curthread->signal->rlim[i].rlim_cur == curthread->signal->rlim[2].rlim_cur,
    curthread->signal->pids[i]->numbers[0].nr > 0); }
BEGIN { i = 16; trace(curthread->comm[i]); }
BEGIN { i = -1; trace(curthread->signal->rlim[i].rlim_cur); }
BEGIN { exit(0); }
