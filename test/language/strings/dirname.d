/* A path without its last component. */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", dirname(""), dirname("/"), dirname("//"), dirname("."));
	printf("[%s] [%s] [%s] [%s]\n", dirname("a"), dirname("/a"), dirname("/a/"), dirname("a/b/"));
	printf("[%s] [%s] [%s] [%s]\n", dirname("a/"), dirname("a//b"), dirname("//a"), dirname("/usr/lib/libc.so.6"));
	path = "/a/long/enough/path/so/that/many/words/are/walked/to/the/end";
	printf("[%s]\n", dirname(path));
	exit(0);
}
