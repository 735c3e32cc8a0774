/* for, while and do mean what they mean in C, with break, continue, commas and parts left out. */
BEGIN
{
	for (int i = 0; i < 3; i++)
		printf("%d ", i);
	for (int i = 0, j = 9; i < j; i += 2, j--)
		printf("%d-%d ", i, j);
	printf("\n");

	this->i = 5;
	while (this->i)
		printf("%d ", this->i--);
	do {
		this->i++;
		if (this->i == 2)
			continue;
		printf("%d ", this->i);
	} while (this->i < 4);
	do printf("once "); while (0);
	printf("\n");

	for (;;) {
		if (this->i++ == 7)
			break;
		printf("%d ", this->i);
	}
	for (this->i = 0; this->i < 4; this->i++)
		;
	printf("%d\n", this->i);

	for (int i = 1; i < 5; i++) {
		for (int j = 1; ; j++) {
			if (j > i)
				break;
			if (j == 2)
				continue;
			printf("%d%d ", i, j);
		}
		if (i == 3)
			break;
		printf("| ");
	}
	printf("\n");

	for (int i = 0; i < 6; i++) {
		printf("%d", i);
		if (i & 1) {
			printf(" odd");
			if (i == 5) {
				printf(" five");
				continue;
			}
		} else if (i == 2)
			continue;
		printf(",");
	}
	printf("\n");

	int n = 0;
	for (int i = 0; i < 100; i++)
		for (int j = 0; j < 100; j++)
			n += i * j;
	printf("%d\n", n);
	exit(0);
}
