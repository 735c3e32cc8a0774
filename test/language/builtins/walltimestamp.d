/* walltimestamp is the time of day */
BEGIN { printf("%d\n", walltimestamp / 1000000000 >= 1700000000); exit(0); }
