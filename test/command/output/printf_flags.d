/* every flag of printf: # 0 - + ' space ? * .* and where they may stand */
int n;
BEGIN {
	n = 5;
	printf("[%#x|%#X|%#o|%05d|%-5d|%+d|% d|%'d|%?x|%?p]\n", 255, 255, 8, 42, 42, 42, 42, 1234567, 0xabc, 0xabc);
	printf("[%*d|%-*d|%*d|%.*d|%*.*d|%.3d|%8.3d|%-8.3d|%08d]\n", 6, 42, 6, 42, -6, 42, 4, 42, 8, 4, 42, 7, 7, 7, -42);
	printf("[%*s|%-*s|%.*s|%*.*s]\n", n, "ab", n, "ab", 2, "abcdef", n, 2, "abcdef");
	printf("[%.0s|%.0d|%.s|%+5d|%-+5d|%0+6d|%#6x|%-#6x|]\n", "all", 7, "all", 3, 3, 3, 10, 10);
	exit(0);
}
