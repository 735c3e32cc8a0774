/* the first assignment gives a variable its type */
BEGIN { c = (char)300; printf("%d %d\n", c, sizeof (c)); exit(0); }
