/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uses a known amount of CPU time.
 *
 *	burn user|kernel MILLISECONDS
 *
 * In user mode it is spent in the function burn_here, in kernel mode in calls of
 * getrandom(2) that fill 64 KB each.  Prints the nanoseconds that it used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static volatile unsigned long sink;
static char buffer[65536];

__attribute__((noinline, noclone)) void burn_here(void)
{
	for (int i = 0; i < 1000000; i++)
		sink += (unsigned long)i;
}

static long long used(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	long long end = atoll(argv[2]) * 1000000;

	while (used() < end) {
		if (!strcmp(argv[1], "user"))
			burn_here();
		else if (getrandom(buffer, sizeof(buffer), 0) < 0)
			return 1;
	}
	printf("%lld\n", used());
	return 0;
}
