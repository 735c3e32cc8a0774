/* Faults in END and in probes that fire by themselves. */
/* @filter: pc id */
int n;
int zero;
tick-100ms { trace(1 / zero); }
ERROR { printf("%s\n", probename); }
ERROR /n++ == 0/ { exit(0); }
END { trace(1 / zero); }
