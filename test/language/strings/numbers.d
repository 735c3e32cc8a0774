/* lltostr() and strtoll() in every base. */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", lltostr(0), lltostr(123), lltostr(-123), lltostr(-9223372036854775807 - 1));
	printf("[%s] [%s] [%s] [%s]\n", lltostr(0, 16), lltostr(255, 16), lltostr(-1, 16), lltostr(0, 8));
	printf("[%s] [%s] [%s]\n", lltostr(8, 8), lltostr(-1, 8), lltostr(35, 36));
	printf("[%s] [%s]\n", lltostr(10, 2), lltostr(-1, 2));
	printf("[%s] [%s] [%s]\n", lltostr(0, 2), lltostr(-1, 36), lltostr(12345678901234, 7));
	this->base = 3;
	printf("[%s] [%s]\n", lltostr(timestamp != 0, this->base), lltostr((int64_t)80, this->base));
}
BEGIN
{
	printf("%d %d %d %d\n", strtoll("0"), strtoll("123"), strtoll("-123"), strtoll("+7"));
	printf("%d %d %d %d\n", strtoll(" \t 42abc"), strtoll(""), strtoll("abc"), strtoll("- 1"));
	printf("%d %d %d %d\n", strtoll("0x1f", 16), strtoll("1F", 16), strtoll("0x1f"), strtoll("-0X10", 16));
	printf("%d %d %d %d\n", strtoll("777", 8), strtoll("0778", 8), strtoll("1012", 2), strtoll("zZ", 36));
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("9223372036854775808"));
	printf("%d %d\n", strtoll("-9223372036854775808"), strtoll("18446744073709551617"));
	exit(0);
}
