/*
 * Nothing fires after exit(), on no CPU; further clauses of the firing neither.
 * What has begun when exit() is called goes on: one firing of each kind, on each CPU.
 */
int done;
int after;
tick-1ms /done && begun[cpu, 1]++/ { after++; }
profile-997hz /done && begun[cpu, 2]++/ { after++; }
syscall:::entry /done && begun[cpu, 3]++/ { after++; }
tick-10ms { exit(0); done = 1; }
tick-10ms { printf("not after exit\n"); }
END { printf("%d after exit\n", after); }
