/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* A registry of all probes with default options, made anew for every test. */

#include <stdlib.h>

#include "base/arena.h"
#include "base/option.h"
#include "probe/probe.h"

struct setup {
	struct arena *arena;
	struct options options;
	struct probe_registry *registry;
};

static int set_up(void **state)
{
	struct setup *setup = must_alloc(sizeof(*setup));

	setup->arena = arena_new();
	options_init(&setup->options);
	setup->registry = registry_new(setup->arena, &setup->options);
	*state = setup;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *setup = *state;

	registry_free(setup->registry);
	options_free(&setup->options);
	arena_free(setup->arena);
	free(setup);
	return 0;
}
