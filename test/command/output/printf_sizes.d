/* size letters, and what %d %i %u %x make of narrow and wide arguments */
BEGIN {
	printf("[%hd|%hi|%hu|%ho|%hx|%hX|%hhd|%hhu]\n", (short)-2, (short)-2, (unsigned short)65535, (unsigned short)8, (short)-1, (short)-1, (char)-1, (unsigned char)255);
	printf("[%ld|%li|%lu|%lo|%lx|%lX]\n", -3L, -3L, 4UL, 8UL, 255L, 255UL);
	printf("[%lld|%lli|%llu|%llo|%llx|%llX]\n", -5LL, -5LL, 6ULL, 8ULL, 255LL, 255ULL);
	printf("[%d %i %u %x %o %X %p]\n", (int8_t)-2, (int8_t)-2, (int8_t)-2, (int8_t)-2, (int8_t)-2, (int8_t)-2, (int8_t)-2);
	printf("[%d %i %u %x]\n", (uint8_t)254, (uint8_t)254, (uint8_t)254, (uint8_t)254);
	printf("[%d %i %u %x]\n", (int16_t)-2, (int16_t)-2, (int16_t)-2, (int16_t)-2);
	printf("[%d %i %u %x]\n", (uint16_t)65534, (uint16_t)65534, (uint16_t)65534, (uint16_t)65534);
	printf("[%d %i %u %x]\n", -2, -2, -2, -2);
	printf("[%d %i %u %x]\n", 4294967294, 4294967294, 4294967294, 4294967294);
	printf("[%d %i %u %x]\n", -2LL, -2LL, -2LL, -2LL);
	printf("[%d %i %u %x]\n", 0xfffffffffffffffe, 0xfffffffffffffffe, 0xfffffffffffffffe, 0xfffffffffffffffe);
	exit(0);
}
