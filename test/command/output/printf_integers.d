/* integer conversions follow the type of the argument */
BEGIN {
	printf("%d %d %d\n", -1, (unsigned int)-1, (char)200);
	printf("%x %X %o %u\n", 255, 255, 8, -1);
	printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
	printf("%#x %#o\n", 255, 8);
	printf("%ld %lld %hd %hhd\n", (long)5, (long long)6, (short)7, (char)8);
	printf("%c%c%c %%\n", 'a', 98, (char)'c');
	printf("[%*d] [%-*d] [%.3d]\n", 6, 7, 6, 7, 8);
	printf("%d %x\n", 0x123456789abcdef, 0x123456789abcdef);
	exit(0);
}
