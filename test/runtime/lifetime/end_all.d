/* All clauses of END run, also after one that calls exit(); its status counts. */
/* @status: 5 */
BEGIN { exit(3); }
END { printf("one\n"); exit(5); }
END { printf("two\n"); }
