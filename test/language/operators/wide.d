/* 64-bit values survive */
BEGIN { x = 0x7fffffffffffffff; printf("%d %d %u\n", x, x + 1, x + 1);
	printf("%d %d\n", 0x100000000 * 3, 0x100000000 >> 4); exit(0); }
