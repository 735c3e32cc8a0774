/* ring: the newest records stay, BEGIN's and END's do, too. */
/* @flags: -q -x bufpolicy=ring -b 4k */
BEGIN { printf("BEGIN\n"); }
tick-1ms { printf(" %d", n); n++; }
tick-1ms /n == 1000/ { exit(0); }
END { printf("\nEND\n"); }
