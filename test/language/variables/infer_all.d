/*
 * A variable that nobody declares is as wide as the widest value assigned to
 * it anywhere, also below where it is printed; its sign is the first value's,
 * unless that is a plain constant.
 */
BEGIN { above = 0; printf("%d\n", above); x = 0; x = timestamp; printf("%d\n", x > 4294967296); }
BEGIN { above = 5000000000; printf("%d %d\n", above, sizeof (above)); }
BEGIN { n = 3; this->t = 0; printf("%d %d\n", 1LL + 10 * 1000000000, this->t + n * 1000000000LL); }
BEGIN { printf("%d\n", n * 1000000000); }
BEGIN { first = -1; first = timestamp; first = -2; printf("%d %d\n", first, first < 0); }
BEGIN { open = 0; open = 18446744073709551615; printf("%d %d\n", open, open < 0); }
BEGIN { chain = 1; chain = middle; printf("%d\n", sizeof (chain)); middle = 1; middle = end; end = 1; end = timestamp; }
BEGIN { small = (char)1; small = 1000; printf("%d %d\n", small, sizeof (small)); }
BEGIN { a["x"] = 0; a["x"] += 6000000000; printf("%d %d\n", a["x"], sizeof (a["x"])); }
BEGIN { k = 0; @[k] = count(); b[k] = 7; k = 1LL << 40; @[k] = count(); b[k] = 8; printf("%d %d\n", b[0], b[k]); }
BEGIN { c = 1; c = 100; c++; printf("%d\n", sizeof (c)); exit(0); }
