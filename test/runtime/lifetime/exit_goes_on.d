/* exit does not end its own clause */
BEGIN { exit(0); printf("still here\n"); }
