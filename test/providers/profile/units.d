/* all units of tick name a probe */
tick-1000000ns, tick-1000us, tick-1000usec, tick-1ms, tick-1msec, tick-1000hz, tick-1000 { @[probename] = count(); }
tick-1s, tick-1sec, tick-1m, tick-1min, tick-1h, tick-1hour, tick-1d, tick-1day { @[probename] = count(); }
tick-300ms { exit(0); }
END { printf("ok\n"); trunc(@); }
