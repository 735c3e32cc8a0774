/* SPDX-License-Identifier: Apache-2.0 */
// Functions that return in every way there is, and exceptions that pass
// through them: `thrower N` calls each N times and says how often it returned.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define FUNCTION extern "C" __attribute__((noinline, noclone, noipa))

static volatile int sink;

FUNCTION int inner(int n)
{
	if (n & 1)
		throw std::runtime_error("odd");
	return n + 1;
}

FUNCTION int middle(int n)
{
	int value = inner(n);

	sink = value;
	return value + 1;
}

FUNCTION int catches(int n)
{
	try {
		return middle(n) + 1;
	} catch (const std::exception &) {
		return -1;
	}
}

FUNCTION int two_ends(int n)
{
	if (n & 1) {
		sink = n;
		return 10;
	}
	sink = catches(n);
	return sink + 20;
}

FUNCTION int jumps_out(int n)
{
	sink = n;
	return two_ends(n + 1);
}

FUNCTION int jumps_by_pointer(int n, int (*function)(int))
{
	sink = n;
	return function(n);
}

FUNCTION __attribute__((cold)) void complain(int n)
{
	sink = n;
}

// The unlikely way has its own end, in a piece that is elsewhere.
FUNCTION int has_cold_end(int n)
{
	if (__builtin_expect(n == 1, 0)) {
		complain(n);
		complain(n + 1);
		return -5;
	}
	for (int i = 0; i < n; i++)
		sink = i;
	return sink;
}

FUNCTION int switches(int n)
{
	switch (n % 8) {
	case 0: sink = 3; break;
	case 1: sink = 14; break;
	case 2: sink = 15; break;
	case 3: sink = n; complain(n); break;
	case 4: sink = 65; break;
	case 5: sink = 35 - n; break;
	case 6: sink = 8 + n; break;
	default: return 97;
	}
	return sink + 1;
}

static int compares(const void *, const void *)
{
	throw std::runtime_error("incomparable");
}

// Through a function of the C library.
FUNCTION int sorts(int n)
{
	int numbers[2] = { n, n - 1 };

	try {
		qsort(numbers, 2, sizeof(int), compares);
	} catch (const std::exception &) {
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 8;
	int caught = 0;

	for (int i = 0; i < n; i++) {
		caught += catches(i) < 0;
		two_ends(i);
		jumps_out(i);
		jumps_by_pointer(i, two_ends);
		has_cold_end(i & 1);
		switches(i);
	}
	caught += sorts(n);
	printf("%d", caught);
	puts(" caught");
	return 0;
}
