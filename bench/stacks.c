/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks as a profiler writes them, for measuring stackvis(1): so many
 * megabytes, the same bytes for the same arguments.
 *
 *	stacks MEGABYTES [sorted]
 *
 * 100,000 distinct stacks of depth 60 in a program of 3,000 functions.  A stack
 * is a walk through a fixed graph of calls: outer frames have few callees, so
 * stacks share them, as those of real programs do.  They come in no order, each
 * more than once if the size asks for it; `sorted`: each once, in order.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 3000, STACKS = 100000, DEPTH = 60, LINE = DEPTH * 32 };

static uint64_t state = 88172645463325252;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static char names[FUNCTIONS][32];
static char (*lines)[LINE];

static void make_names(void)
{
	static const char *const words[] = { "parse", "read", "get", "lock", "page",
					     "item", "row", "find", "do", "net" };

	for (int i = 0; i < FUNCTIONS; i++)
		snprintf(names[i], sizeof(names[i]), "%s_%s_%d", words[next() % 10],
			 words[next() % 10], i);
}

static void make_line(char *line, uint64_t seed)
{
	uint32_t function = 0;
	size_t n = 0;

	for (int depth = 0; depth < DEPTH; depth++) {
		/* one way on mostly, a choice at every fourth frame */
		uint32_t choice = depth % 4 ? 0 : (uint32_t)(seed >> depth) & 3;

		n += (size_t)snprintf(line + n, LINE - n, "%s%s", depth ? ";" : "",
				      names[function]);
		function = (function * 31 + choice * 977 + (uint32_t)depth * 13 + 7) %
			   FUNCTIONS;
	}
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

int main(int argc, char **argv)
{
	size_t wanted = (size_t)(argc > 1 ? atol(argv[1]) : 76) * 1000000, made = 0;
	int is_sorted = argc > 2 && !strcmp(argv[2], "sorted");

	lines = calloc(STACKS, sizeof(*lines));
	if (!lines)
		return 1;
	make_names();
	for (size_t i = 0; i < STACKS; i++)
		make_line(lines[i], next());
	if (is_sorted)
		qsort(lines, STACKS, sizeof(*lines), compare);
	for (size_t i = 0; made < wanted && (i < STACKS || !is_sorted); i++) {
		const char *line = lines[i < STACKS ? i : next() % STACKS];
		int n = printf("%s %d\n", line, 1 + (int)(next() % 100));

		made += (size_t)n;
	}
	return ferror(stdout) ? 1 : 0;
}
