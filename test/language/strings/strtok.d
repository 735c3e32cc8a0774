/* Words of a string; the place is shared by the clauses of a firing. */
/* @filter: pc */
string n;

BEGIN
{
	printf("[%s]", strtok(",,one;two,;three four", ",;"));
	printf(" [%s]", strtok(NULL, ",;"));
	printf(" [%s]", strtok(NULL, " "));
}
BEGIN
{
	printf(" [%s]", strtok(NULL, ""));
	printf(" %d", strtok(NULL, ",") == NULL);
	printf(" %d\n", strtok(NULL, ",") == NULL);
	printf("%d %d\n", strtok("", ",") == NULL, strtok(";;,", ",;") == NULL);
	printf("[%s] [%s]\n", strtok("whole", ","), strtok("whole", ""));
	s = "a b c";
	this->w = strtok(s, " ");
	s = "x y z";
	printf("[%s] [%s]\n", this->w, strtok(NULL, " "));
	n = NULL;
	printf("[%s]\n", strtok(n, " "));
	m = NULL;
	printf("%d\n", strtok(m, " ") == NULL);
	printf("[%s] [%s]\n", strtok("\200\300 ", "\200") == "\300 " ? "high" : "wrong", strtok("0123456789abcdefghij:klm", ":"));
}
END
{
	printf("gone: ");
	printf("[%s]", strtok(NULL, " "));
}
ERROR { printf("fault %d\n", arg4); }
BEGIN { exit(0); }
