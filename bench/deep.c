/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Burns a CPU thirty calls deep, without frame pointers: what a profiler meets
 * in distribution binaries.  Frames differ in size; the walk goes through
 * qsort() of the C library now and then.
 */
#include <stdlib.h>

static volatile unsigned long sink;

__attribute__((noinline, noclone)) static int spin(const void *a, const void *b)
{
	for (int i = 0; i < 2000; i++)
		sink += (unsigned long)i * sink;
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline, noclone)) static void descend(int depth, int size)
{
	volatile char frame[size];

	frame[0] = (char)depth;
	if (depth)
		descend(depth - 1, 16 + depth * 7 % 96);
	else {
		int numbers[] = { 3, 1, 2, 5, 4 };

		spin(numbers, numbers + 1);
		qsort(numbers, 5, sizeof(int), spin);
	}
	sink += (unsigned long)frame[0];
}

int main(void)
{
	for (;;)
		descend(30, 32);
}
