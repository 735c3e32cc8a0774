/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a probe made with dtrace -h costs, or with libusdt, timed from inside.
 *
 *	sites none|probe|enabled|made|asked
 *
 * As bench/workload.c: for every line "N" it makes N calls of a small function
 * and prints how many nanoseconds one took.  The function has no probe, or one,
 * or one that first tests whether it is enabled.  `made` calls libusdt with its
 * arguments, `asked` only if it is enabled.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libusdt/usdt.h"
#include "sites.h"

static usdt_probe_t *probe_made;

static void make_probe(void)
{
	const char *types[] = { "long", "char *" };
	usdt_provider_t *provider = usdt_create_provider("made", NULL);
	usdt_probedef_t *probe = usdt_create_probe("call", "call", 2, types);

	if (!provider || !probe || usdt_provider_add_probe(provider, probe) ||
	    usdt_provider_enable(provider))
		exit(2);
	probe_made = probe->probe;
}

#define FIRE(i, text) \
	usdt_fire_probe(probe_made, 2, \
			(void *[]){ (void *)(i), (void *)(uintptr_t)(text) })

#define SMALL(name, probe) \
	__attribute__((noinline, noclone, aligned(64))) static long name( \
		long i, const char *text) \
	{ \
		probe; \
		return i + text[0]; \
	}

SMALL(none, (void)0)
SMALL(probe, SITES_CALL(i, text))
SMALL(enabled, if (SITES_CALL_ENABLED()) SITES_CALL(i, text))
SMALL(made, FIRE(i, text))
SMALL(asked, if (USDT_IS_ENABLED(probe_made)) FIRE(i, text))

static const struct {
	const char *name;
	long (*function)(long i, const char *text);
} kinds[] = {
	{ "none", none }, { "probe", probe }, { "enabled", enabled },
	{ "made", made }, { "asked", asked },
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
	long (*volatile function)(long, const char *) = NULL;
	char line[64];
	volatile long sum = 0;

	for (size_t i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(argv[1], kinds[i].name))
			function = kinds[i].function;
	if (!function)
		return 2;
	make_probe();
	while (fgets(line, sizeof(line), stdin)) {
		long count = atol(line);
		double start = now();

		for (long i = 0; i < count; i++)
			sum += function(i, "text");
		printf("%.3f\n", (now() - start) / (double)(count ? count : 1));
		fflush(stdout);
	}
	return 0;
}
