/* tick-N fires again and again */
tick-10ms { n++; }
tick-10ms /n == 5/ { printf("five\n"); exit(0); }
