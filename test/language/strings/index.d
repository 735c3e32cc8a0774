/* index() and rindex() with and without a start. */
BEGIN
{
	s = "hello world, hello";
	printf("%d %d %d %d\n", index(s, "hello"), index(s, "world"), index(s, "o"), index(s, "z"));
	printf("%d %d %d %d\n", index(s, "hello", 1), index(s, "hello", 13), index(s, "hello", 14), index(s, "hello", -5));
	printf("%d %d %d %d\n", index(s, "o", 18), index(s, "o", 17), index(s, "o", 1000), index(s, "hello world, hello!"));
	printf("%d %d %d %d %d\n", index(s, ""), index(s, "", 5), index(s, "", 18), index(s, "", 19), index(s, "", -1));
	printf("%d %d %d\n", index("", "a"), index("", ""), index("", "", 3));
	printf("%d %d\n", index("abcdefghijklmnopqrstuvwxyz", "ijklmnopqrstuvwxyz"), index("abcabcabcabcabcabd", "abcabcabd"));
}
BEGIN
{
	printf("%d %d %d %d\n", rindex(s, "hello"), rindex(s, "world"), rindex(s, "o"), rindex(s, "z"));
	printf("%d %d %d %d\n", rindex(s, "hello", 12), rindex(s, "hello", 13), rindex(s, "hello", 0), rindex(s, "hello", -1));
	printf("%d %d %d %d\n", rindex(s, "o", 16), rindex(s, "o", 17), rindex(s, "o", 1000), rindex(s, "o", 3));
	printf("%d %d %d %d %d\n", rindex(s, ""), rindex(s, "", 5), rindex(s, "", 18), rindex(s, "", 19), rindex(s, "", -1));
	printf("%d %d %d\n", rindex("", "a"), rindex("", ""), rindex("", "", 3));
	printf("%d\n", rindex("abcabcabdabcabcabdabc", "abcabcabd"));
	exit(0);
}
