/* Nothing fires after exit(), on no CPU; further clauses of the firing neither. */
int done;
int after;
tick-1ms /done/ { after++; }
profile-997hz /done/ { after++; }
syscall:::entry /done/ { after++; }
tick-10ms { exit(0); done = 1; }
tick-10ms { printf("not after exit\n"); }
END { printf("%d after exit\n", after); }
