/* The rest of a string from the first or last match on; NULL without one. */
BEGIN
{
	s = "a long string of several words, with an x";
	printf("[%s] [%s] [%s]\n", strchr(s, 'l'), strchr(s, 'a'), strchr(s, 'x'));
	printf("[%s] [%s] [%s]\n", strrchr(s, 'l'), strrchr(s, 'a'), strrchr(s, 'x'));
	printf("[%s] [%s] [%s] [%s]\n", strstr(s, "string"), strstr(s, ""), strstr(s, "an x"), strstr(s, "a"));
	printf("[%s] [%s]\n", strstr("abc", "abc"), strstr("aab", "ab"));
	printf("%d %d %d\n", strchr(s, 'z') == NULL, strrchr(s, 'z') == NULL, strstr(s, "zz") == NULL);
	printf("%d %d %d\n", strchr("", 'z') == NULL, strrchr("", 'z') == NULL, strstr("", "z") == NULL);
	printf("%d %d %d\n", strchr(s, 'x') == NULL, strchr(s, 'x') == "x", strchr(s, 'z') < "");
	printf("[%s]\n", strchr("\200\377abc", '\377') == "\377abc" ? "high bytes" : "wrong");
	t = strchr(s, 'z');
	printf("%d\n", t == NULL);
	t = strchr(s, 'x');
	printf("%d [%s]\n", t == NULL, t);
	exit(0);
}
