/* the probes fire for dtrace itself */
syscall:::entry /pid == $pid/ { @ = count(); seen = 1; }
tick-100ms /seen/ { printf("seen\n"); exit(0); }
END { trunc(@); }
