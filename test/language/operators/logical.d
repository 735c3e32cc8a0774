/* && and || do not evaluate what they need not */
BEGIN { x = 0; y = 0;
	a = 0 && (x = 1); b = 1 || (y = 1); c = 1 ^^ 1; d = 1 ^^ 0; e = 2 && 3;
	printf("%d %d %d %d %d %d %d\n", a, b, c, d, e, x, y); exit(0); }
