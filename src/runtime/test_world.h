/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What unit tests of runtimes have in common: the traced process is the test itself,
 * and all that a frame leads to is in one piece of its memory, the world.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/memory.h"
#include "runtime/runtime.h"

static struct runtime_process process;

/* A world of zeros, at the start of a page; NULL: no memory. */
static inline void *world_new(size_t size, const struct runtime *runtime,
			      void *own)
{
	enum { PAGE_SIZE = 4096 };
	size_t room = (size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
	void *world = aligned_alloc(PAGE_SIZE, room);

	if (world)
		memset(world, 0, room);
	process = (struct runtime_process){
		.runtime = runtime,
		.memory = runtime_memory_new((uint32_t)getpid(), NULL),
		.own = own,
	};
	return world;
}

static inline void world_free(void *world)
{
	runtime_memory_free(process.memory);
	free(world);
}

static inline void put(uint8_t *at, uint64_t value, size_t size)
{
	memcpy(at, &value, size);
}
