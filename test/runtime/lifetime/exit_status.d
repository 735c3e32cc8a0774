/* exit() gives the exit status; END runs */
/* @status: 7 */
BEGIN { exit(7); }
END { printf("end\n"); }
