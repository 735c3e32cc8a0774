/* SPDX-License-Identifier: Apache-2.0 */
/* main calls left five times and right three times; both call leaf, with 10 and 20. */
#define FUNCTION __attribute__((noinline, noclone))

FUNCTION int leaf(int n)
{
	__asm__ volatile("");
	return n + 1;
}

FUNCTION int left(int n)
{
	int result = leaf(n);

	__asm__ volatile("");
	return result + 1;
}

FUNCTION int right(int n)
{
	int result = leaf(n);

	__asm__ volatile("");
	return result + 2;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 5; i++)
		sum += left(10);
	for (int i = 0; i < 3; i++)
		sum += right(20);
	return sum == 0;
}
