/* Trap 10: exit() does not end its clause, but everything else; END runs. */
/* @status: 4 */
BEGIN { exit(4); printf("rest of the clause\n"); x = 1; }
BEGIN { printf("not this\n"); }
tick-1ms { printf("not this either\n"); }
END { printf("END %d\n", x); }
