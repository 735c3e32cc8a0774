/* Trap 19: index() and rindex() follow Perl in odd places; substr() takes negative lengths. */
BEGIN { printf("%d %d %d %d\n", index("foobar", "o"), index("foobar", "o", 2), index("foobar", "x"), index("foobar", "")); }
BEGIN { printf("%d %d %d %d\n", index("foobar", "f", -5), index("foobar", "f", 100), index("foobar", "", 100), index("foobar", "", 3)); }
BEGIN { printf("%d %d %d %d\n", rindex("foobar", "o"), rindex("foobar", "o", 1), rindex("foobar", "o", -1), rindex("foobar", "")); }
BEGIN { printf("%d %d %d\n", rindex("foobar", "r", 100), rindex("foobar", "", -1), rindex("foobar", "", 3)); }
BEGIN { printf("[%s] [%s] [%s] [%s]\n", substr("foobar", 2), substr("foobar", 2, 2), substr("foobar", 1, -1), substr("foobar", -2)); }
BEGIN { printf("[%s] [%s] [%s] [%s]\n", substr("foobar", -8, 4), substr("foobar", 6), substr("foobar", 2, -5), substr("foobar", -8, 2)); exit(0); }
