/* BEGIN is before all data, END behind it, whatever the order in the script. */
/* @flags: -q -x switchrate=100ms */
END { printf("END\n"); }
tick-20ms { printf("tick\n"); }
profile-97hz /n++ > 1000000/ { printf("never\n"); }
tick-20ms /++ticks == 3/ { exit(0); }
BEGIN { printf("BEGIN\n"); }
