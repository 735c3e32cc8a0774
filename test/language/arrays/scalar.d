/* Associative arrays of integers: =, op=, ++ and --, and what they yield. */
BEGIN
{
	a[1] = 5;
	a[2] = a[1] * 2;
	printf("%d %d %d\n", a[1], a[2], a[3]);
	printf("%d %d\n", a[1] += 3, a[2] -= 4);
	printf("%d %d\n", a[1]++, ++a[1]);
	printf("%d %d\n", a[2]--, --a[2]);
	a[4] |= 6; a[4] <<= 2; a[4] ^= 1; a[4] %= 16;
	printf("%d\n", a[4]);
	printf("%d\n", a[5] = a[6] = 7);
	printf("%d %d\n", a[5], a[6]);
	n["new"]++; n["new"]++; n["down"]--;
	printf("%d %d %d\n", n["new"], n["down"], n["none"]);
	small[0] = (char)127;
	small[0]++;
	big[0] = (unsigned int)0;
	big[0]--;
	printf("%d %u\n", small[0], big[0]);
	exit(0);
}
