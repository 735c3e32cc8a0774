/* rand() is never negative, so rand() % 6 + 1 is a die. */
#pragma D option quiet
#pragma D option aggsortkey

tick-1ms
{
	this->die = rand() % 6 + 1;
	low += this->die < 1;
	high += this->die > 6;
	same += rand() == rand();
	@[this->die] = count();
}

tick-1ms
/++n == 400/
{
	printf("%d too low, %d too high, %d the same\n", low, high, same);
	exit(0);
}

END
{
	printa("%d\n", @);
}
