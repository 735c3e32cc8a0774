/* Loops write to all kinds of variables, and aggregations count each turn. */
BEGIN
{
	for (int i = 0; i < 6; i++) {
		global += i;
		self->thread += i * 2;
		array[i % 3, "k"] += i;
		self->array[i & 1]++;
		@count[i % 2] = count();
		@sum = sum(i);
		@least = min(5 - i);
	}
	printf("%d %d %d %d\n", global, self->thread, self->array[0], self->array[1]);
	for (int i = 0; i < 4; i++)
		printf("%d ", array[i, "k"]);
	printa("%d:%@d ", @count);
	printa("%@d ", @sum);
	printa("%@d\n", @least);
	trunc(@count);
	trunc(@sum);
	trunc(@least);
	exit(0);
}
