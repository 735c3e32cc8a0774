/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions whose parameters have types, to be probed: requests.so has more of
 * them.
 *
 *	requests [LIBRARY]
 *
 * Waits for SIGUSR1, then calls each of them once and ends.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define PLAIN __attribute__((noinline, noclone))

enum color { RED, GREEN = 5, BLUE = 200 };

typedef struct { short a, b; } pair;

struct request {
	int id;
	unsigned flags : 3, kind : 29;
	char name[16];
	const char *text;
	struct request *next;
	enum color color;
	union { int number; char bytes[4]; } either;
	struct { int x, y; };
	pair pairs[3];
	int grid[2][3];
	int (*act)(int);
};

struct large { long first, second, third; };
struct text { const char *start; unsigned long length; };
struct mixed { double weight; int count; };

static volatile long sink;

/* More than registers can take; the words of small types have more bits. */
PLAIN int handle(struct request *request, const char *why, enum color color,
		 bool is_urgent, short small, unsigned char byte, long seventh,
		 struct request **last)
{
	__asm__ volatile("" ::: "memory");
	return request->id + small + byte + (int)seventh + (int)color +
	       is_urgent + (why && last);
}

/* Between others that are not in the registers of integers. */
PLAIN struct request *choose(double weight, int n, struct request *list,
			     pair both, float other, int last,
			     struct mixed mixed)
{
	__asm__ volatile("" ::: "memory");
	return n + last + both.a + weight + other + mixed.count > 0 ? list :
								      NULL;
}

/* Objects in registers, and on the stack when there are not enough. */
PLAIN struct text cut(struct text text, pair both, struct large large,
		      struct text more, struct text rest, int last)
{
	__asm__ volatile("" ::: "memory");
	text.start += both.a;
	text.length += large.first + more.length + rest.length + last;
	return text;
}

/* Returned in memory, whose address is the first argument in secret. */
PLAIN struct large enlarge(struct large all, int by)
{
	__asm__ volatile("" ::: "memory");
	return (struct large){ all.first + by, all.second, all.third };
}

PLAIN void rest(void)
{
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	struct request second = {
		.id = 22, .flags = 5, .kind = 17, .name = "second",
		.text = "text of the second", .color = BLUE,
	};
	struct request first = {
		.id = 11, .flags = 3, .kind = 9, .name = "first",
		.text = "text of the first", .next = &second, .color = GREEN,
		.either.number = 0x41424344, .x = 7, .y = 8,
		.pairs = { { 1, 2 }, { 3, -4 }, { 5, 6 } },
		.grid = { { 1, 2, 3 }, { 4, 5, 6 } },
	}, *last = &second;
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*walk)(struct request *, int) = NULL;
	sigset_t set;
	int number;

	if (library)
		*(void **)&walk = dlsym(library, "walk");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &number);
	sink = handle(&first, "because", GREEN, true, -2, 250, 77, &last);
	sink += choose(1.0, 42, &first, (pair){ 1, 2 }, 2.0f, 43,
		       (struct mixed){ 1.0, 1 }) == &first;
	sink += cut((struct text){ "hello", 5 }, (pair){ 2, -3 },
		    (struct large){ 1, 2, 3 }, (struct text){ "more", 4 },
		    (struct text){ "rest", 4 }, 9).length;
	sink += enlarge((struct large){ 1, 2, 3 }, 10).first;
	rest();
	if (walk)
		sink += walk(&first, 9);
	return 0;
}
