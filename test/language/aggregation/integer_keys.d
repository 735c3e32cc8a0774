/* integer keys print in the width of their size */
BEGIN { @[1, (char)2, (short)3, (int64_t)4] = sum(5); exit(0); }
