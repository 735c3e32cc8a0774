/* Trap 3: strtok() goes on in the next clause of a firing, and not in another. */
/* @filter: pc */
BEGIN { printf("%s\n", strtok("a,b;c", ",;")); }
BEGIN { printf("%s\n", strtok(NULL, ",;")); }
BEGIN { printf("%s\n", strtok(NULL, ",;")); }
BEGIN { exit(0); }
END { printf("%s\n", strtok(NULL, ",;")); }
