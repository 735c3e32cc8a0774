/* exactly one of arg0 and arg1 is set */
profile-997 /(arg0 != 0) == (arg1 != 0)/ { @bad = count(); }
profile-997 { @good = count(); }
tick-300ms { exit(0); }
END { printa("bad %@d\n", @bad); clear(@good); }
