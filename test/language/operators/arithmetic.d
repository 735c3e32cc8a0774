/* the integer operators */
BEGIN { x = 7; y = 2;
	printf("%d %d %d %d %d\n", x + y, x - y, x * y, x / y, x % y);
	printf("%d %d %d %d %d\n", x & y, x | y, x ^ y, x << y, x >> 1);
	printf("%d %d %d %d\n", -x, ~x, !x, +x);
	z = -7;
	printf("%d %d %d\n", z / y, z % y, z >> 1);
	exit(0); }
