/* @flags: -q */
/* @filter: pc */
/*
 * An action in a loop evaluates its arguments from left to right: a fault in one
 * comes before the function with a loop that follows is called, and what that
 * function changes does not change the arguments before it.
 */
struct name {
	char c[8];
};
this struct name name;
this string words;
self string none;
char *where;
int calls;

int
work(void)
{
	for (int i = 0; i < 30; i++)
		calls++;
	where = NULL;
	this->words = "changed";
	this->name.c[0] = '-';
	return calls;
}

ERROR
{
	printf("%s, %d calls\n",
	    arg4 == DTRACEFLT_BADADDR ? "bad address" : "?", calls);
}

BEGIN
{
	for (int i = 0; i < 2; i++)
		printf("%s %d\n", self->none, work());
}

BEGIN
{
	for (int i = 0; i < 2; i++)
		printf("%s %d\n", stringof((char *)8), work());
}

BEGIN
{
	for (int i = 0; i < 2; i++)
		printf("%d %s\n", work(), self->none);
}

BEGIN
{
	this->words = "before";
	this->name.c[0] = 'a';
	this->name.c[1] = 'b';
	where = "text";
	for (int i = 0; i < 1; i++)
		printf("%s %s %s [%s] %d %s %s\n", this->words, this->name.c,
		    stringof(where), json("{}", "a"), work(), this->words,
		    this->name.c);
	/* the address of a name is an argument, too */
	for (int i = 0; i < 1; i++)
		printf("%a %d %a\n", sym((uintptr_t)calls), work(),
		    sym((uintptr_t)(calls + work())));
	exit(0);
}
