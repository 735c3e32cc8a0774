/* Paths made short, as text alone; trailing slashes and dots are stripped. */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", cleanpath(""), cleanpath("/"), cleanpath("//"), cleanpath("."));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/.."), cleanpath("/../.."), cleanpath("/."), cleanpath("/../a"));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/a//b"), cleanpath("/a/./b"), cleanpath("/a/../b"), cleanpath("/a/b/"));
}
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/a/b/."), cleanpath("/a/b/.."), cleanpath("./"), cleanpath("./a"));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("a/.."), cleanpath("../.."), cleanpath("../a/.."), cleanpath("a/../../b"));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/a/b/c/../../d"), cleanpath("..."), cleanpath("/.a/..b/.c."), cleanpath("a/b/../../.."));
	exit(0);
}
