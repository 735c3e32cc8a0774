/* BEGIN is first and END last */
tick-10ms { printf("tick\n"); exit(0); }
END { printf("end\n"); }
BEGIN { printf("begin\n"); }
