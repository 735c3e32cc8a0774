/* @flags: -q */
/* a function that is called often changes the clause's variables. */
int g;
this int v;

int
f(int n)
{
	this->v = this->v + n;
	g = g * 3 + n;
	g = g * 5 - n;
	g = g * 7 + n;
	g = g * 9 - n;
	g = g % 1000 + (g > 500 ? g - 500 : g + n) % 10;
	return n + g * 2 - 1;
}

BEGIN
{
	f(1); f(2); f(3); f(4); f(5); f(6); f(7); f(8); f(9); f(10); f(11);
	printf("%d\n", this->v);
}

BEGIN
{
	this->v = 1000;
	f(1); f(2); f(3); f(4); f(5); f(6); f(7); f(8); f(9); f(10); f(11);
	printf("%d\n", this->v);
	exit(0);
}
