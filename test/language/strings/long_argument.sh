# A path of 8000 characters is copied in whole, kept, compared, joined, counted.
. "$suite/lib.sh"
trace_trigger '-x strsize=8192 -b 1m -x aggsize=1m' '
syscall::openat:entry /pid == $1/
{
	this->s = copyinstr(arg1);
	g = this->s;
	self->s = g;
	printf("%d %d %d [%s]\n", strlen(g), g == self->s, strlen(strjoin(g, g)), substr(g, -4));
	this->n = 5;
	printf("[%s] [%s] %d\n", copyinstr(arg1, 3), copyinstr(arg1, this->n), strlen(copyinstr(arg1, this->n * 2000)));
	@[g] = count();
}
END { printa("%.4s %@d\n", @); }' longpath 8000 | grep .
