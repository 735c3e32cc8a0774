/* Concatenation; what does not fit is cut off. */
/* @flags: -q -x strsize=16 */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", strjoin("", ""), strjoin("a", ""), strjoin("", "b"), strjoin("a", "b"));
	printf("[%s] [%s]\n", strjoin("abcdefg", "h"), strjoin("abcdefgh", "i"));
	printf("[%s] [%s]\n", strjoin("abcdefgh", "ijklmnop"), strjoin("abcdefgh", "ijklmnopq"));
	printf("[%s] [%s]\n", strjoin("abcdefghijklmnop", "q"), strjoin("abc", "defghijklmnopqrstuv"));
	s = "one";
	s = strjoin(s, ",");
	s = strjoin(s, "two");
	printf("[%s] %d\n", s, strlen(s));
	printf("[%s]\n", strjoin(strjoin("x", "y"), strjoin("z", "!")));
	printf("[%s]\n", strjoin(s, s = "new"));
	exit(0);
}
