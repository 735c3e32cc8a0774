/* strings as parameters and results: copies, NULL, from char *, results that are used together */
string base(string path) { return basename(path); }
string pair(string a, string b) { return strjoin(a, strjoin("-", b)); }
string number(int n)
{
	if (n == 1)
		return "one";
	if (n == 2)
		return execname;
	return NULL;
}
string kept(string s)
{
	string t = s;

	global = "changed";
	s = strjoin(s, "!");
	return strjoin(t, s);
}
string same(string s) { string local = s; return local; }
int is_null(string s) { return s == NULL; }
size_t length(string s) { return strlen(s); }
string global;
BEGIN
{
	printf("%s %s\n", base("/usr/bin/true"), base(base("/a/b")));
	printf("%s\n", pair("a", pair("b", "c")));
	printf("%s %d %d\n", number(1), number(2) == execname, is_null(number(3)));
	global = "global";
	printf("%s %s\n", kept(global), global);
	printf("%s\n", strjoin(same("x"), same("y")));
	printf("%d %d %d\n", is_null(NULL), is_null(""), is_null(global));
	printf("%d\n", length(curthread->comm) == length(execname));
	printf("%d\n", number(2) == curthread->comm);
	exit(0);
}
