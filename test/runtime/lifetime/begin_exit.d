/* exit in BEGIN keeps other probes silent */
BEGIN { exit(0); }
tick-1ms { printf("tick\n"); }
END { printf("end\n"); }
