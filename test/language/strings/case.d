/* Letters of ASCII change, nothing else. */
BEGIN
{
	printf("[%s] [%s]\n", tolower(""), toupper(""));
	printf("[%s]\n", tolower("ABCXYZ abcxyz @[`{ 0189 Longer Than One Word"));
	printf("[%s]\n", toupper("ABCXYZ abcxyz @[`{ 0189 Longer Than One Word"));
	printf("%d %d\n", tolower("\301\341") == "\301\341", toupper("\301\341\372") == "\301\341\372");
	s = "MiXeD";
	printf("[%s] [%s] %d\n", tolower(s), toupper(s), strlen(tolower(s)));
	exit(0);
}
