/* epid is another one for every probe and clause */
BEGIN { a = epid; }
BEGIN { b = epid; }
tick-10ms, tick-20ms { @[epid] = count(); seen++; }
tick-10ms { c = epid; }
tick-10ms /seen > 10/ { exit(0); }
END { trunc(@); printf("%d %d %d %d\n", a != b, a != c, b != c, a > 0 && epid > 0); }
