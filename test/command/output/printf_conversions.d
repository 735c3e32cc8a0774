/* characters, strings, names of services and addresses, dates, percent */
BEGIN {
	printf("[%c|%5c|%-5c|%C|%C|%C|%C|%4C]\n", 'a', 'b', 'c', 'd', '\n', '\0', '\177', '\t');
	printf("[%s|%10s|%-10s|%.2s|%S|%12S|%-8S|%S]\n", "abc", "abc", "abc", "abc", "a\n\"b\\", "a\t", "x", "\001\377");
	printf("[%P|%8P|%I|%-12I|]\n", (uint16_t)54321, (uint16_t)54321, "no address", "::1x");
	printf("[%Y|%T|%24Y|%-24Y|]\n", 1136214245000000000, 1136214245000000000, 1136214245000000000, 0ll);
	printf("[%a|%%|%d%%|%%%%]\n", (uint64_t)0x1000, 5);
	printf("[%lc|%wc]\n", (int)0x20ac, (int)65);
	exit(0);
}
