/* assignment operators and their values */
BEGIN { x = 10; x += 5; printf("%d ", x); x -= 3; printf("%d ", x); x *= 2; printf("%d ", x);
	x /= 5; printf("%d ", x); x %= 3; printf("%d ", x); x = 12; x &= 10; printf("%d ", x);
	x |= 3; printf("%d ", x); x ^= 1; printf("%d ", x); x <<= 4; printf("%d ", x); x >>= 2; printf("%d\n", x);
	y = z = 4; printf("%d %d\n", y, z); exit(0); }
