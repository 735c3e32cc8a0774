/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* A registry of all probes with default options, created for every test. */

#include <stdlib.h>

#include "base/arena.h"
#include "base/option.h"
#include "probe/probe.h"
#include "proc/symbols.h"

struct setup {
	struct arena *arena;
	struct options options;
	struct processes *processes;
	struct probe_registry *registry;
};

static int set_up(void **state)
{
	struct setup *setup = must_alloc(sizeof(*setup));

	setup->arena = arena_new();
	options_init(&setup->options);
	setup->processes = processes_new(NULL, NULL);
	setup->registry = registry_new(setup->arena, &setup->options,
				       setup->processes);
	*state = setup;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *setup = *state;

	registry_free(setup->registry);
	processes_free(setup->processes);
	options_free(&setup->options);
	arena_free(setup->arena);
	free(setup);
	return 0;
}
