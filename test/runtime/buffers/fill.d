/* fill: the first records stay, and the run ends when there is no room. */
/* @flags: -q -x bufpolicy=fill -b 4k */
BEGIN { printf("BEGIN\n"); }
tick-1ms { printf("%d", n); n++; }
END { printf("\nEND\n"); }
