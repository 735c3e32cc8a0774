/* The last component of a path, trailing slashes ignored. */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", basename(""), basename("/"), basename("///"), basename("."));
	printf("[%s] [%s] [%s] [%s]\n", basename("a"), basename("/a"), basename("/a/"), basename("a/b"));
	printf("[%s] [%s] [%s]\n", basename("a/b//"), basename("//a//b///"), basename("/usr/lib/x86_64-linux-gnu/libc.so.6"));
	path = "/a/long/enough/path/so/that/many/words/are/walked/to/the/end//////////////";
	printf("[%s]\n", basename(path));
	self->path = "one/two";
	printf("[%s]\n", basename(self->path));
	printf("[%s]\n", basename(probename));
	exit(0);
}
