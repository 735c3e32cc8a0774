/* clauses of one probe run in program order */
BEGIN { printf("1"); }
BEGIN { printf("2"); }
END { printf("4"); }
BEGIN { printf("3"); exit(0); }
END { printf("5\n"); }
