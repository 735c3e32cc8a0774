/* ring: what a branch did not write does not come from an older record. */
/* @flags: -q -x bufpolicy=ring -b 4k */
tick-1ms { if (n < 500) { printf("old\n"); } else if (n > 995) { printf("new %d\n", n); } n++; }
tick-1ms /n == 1000/ { exit(0); }
