BEGIN
{
	int i, sum = 0;

	for (i = 0; i < 5; i++) {
		if (i == 3)
			continue;
		sum += i;
	}
	while (sum > 4)
		sum -= 3;
	do {
		sum++;
		if (sum == 9)
			break;
	} while (1);
	for (int a = 0, b = 7; a < b; a++, b -= 2)
		for (;;) {
			if (b & 1)
				break;
			b++;
		}
	trace(sum);
}
