/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions to be probed.
 *
 *	functions [N]
 *
 * Waits for SIGUSR1, then calls each of them N times (default 1) and ends.
 * `greet` gets a string that nobody has touched: it is on a page of the file
 * of its own, which is not in memory before it is read for the first time.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLAIN __attribute__((noinline, noclone))

enum { PAGE = 4096 };

struct point {
	int x, y;
	const char *name;
};

static volatile long sink;

/* The text starts 6 bytes before the end of a page and goes on in the next. */
static const char texts[4 * PAGE] __attribute__((aligned(PAGE))) = {
	[2 * PAGE - 6] = 'n', 'e', 'v', 'e', 'r', ' ', 't', 'o', 'u', 'c', 'h',
	'e', 'd', '\0',
};

PLAIN long sum_of_ten(long a, long b, long c, long d, long e, long f, long g,
		      long h, long i, long j)
{
	sink = a + b + c + d + e + f + g + h + i + j;
	return sink;
}

PLAIN static int greet(const char *text)
{
	sink = (long)text;
	return 42;
}

PLAIN static long factorial(long n)
{
	if (n < 2)
		return 1;
	long rest = factorial(n - 1);

	sink = rest;
	return n * rest;
}

PLAIN static const struct point *move(struct point *point, int by)
{
	point->x += by;
	point->y += by;
	return point;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 1;
	sigset_t set;
	int signal_number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* not even by read-ahead */
	madvise((void *)(size_t)texts, sizeof(texts), MADV_RANDOM);
	sigwait(&set, &signal_number);
	while (count--) {
		struct point point = { 3, 4, "origin" };

		sum_of_ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
		greet(texts + 2 * PAGE - 6);
		factorial(4);
		move(&point, 10);
	}
	return 0;
}
