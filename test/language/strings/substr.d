/* substr() with every sign of its arguments. */
BEGIN
{
	s = "abcdefghij";
	printf("[%s] [%s] [%s] [%s]\n", substr(s, 0), substr(s, 3), substr(s, 9), substr(s, 10));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, 11), substr(s, -1), substr(s, -10), substr(s, -11));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, 0, 0), substr(s, 0, 3), substr(s, 2, 3), substr(s, 8, 100));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, -3, 2), substr(s, -12, 3), substr(s, -12, 2), substr(s, -12, 100));
}
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", substr(s, 0, -1), substr(s, 2, -3), substr(s, 2, -8), substr(s, 2, -9));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, -4, -1), substr(s, -12, -1), substr(s, 10, -1), substr(s, 100, 1));
	printf("[%s] [%s] [%s]\n", substr("", 0), substr("", -1, 1), substr("", 0, 5));
	this->i = 4;
	this->n = -2;
	printf("[%s] [%s]\n", substr(s, this->i, this->n), substr("0123456789abcdefghijklmnopqrstuvwxyz", this->i * 2 + 1, 20));
	exit(0);
}
