/* SPDX-License-Identifier: Apache-2.0 */
#define main lua_unit_test
#include "runtime/lua_test.c"
#undef main

#include "test/fuzz/runtimes.h"

static struct fuzz_world world_of(unsigned choice)
{
	if (!world)
		start(NULL);
	make_world();
	return (struct fuzz_world){
		world, sizeof(*world), { &world->inner, &world->outer }, 5
	};
}

static void *own(struct runtime_process *from, unsigned choice)
{
	memset(&lua, 0, sizeof(lua));
	return &lua;
}

static bool write_block(struct runtime_process *to, unsigned choice,
		  const uint16_t *numbers)
{
	for (unsigned i = 0; i < 2 * CALLERS; i += 2) {
		to->block[CALLER + i] = fuzz_address(numbers[i]);
		to->block[CALLER + i + 1] = numbers[i + 1];
	}
	return write_steps(to->block);
}

const struct fuzz_runtime fuzz_lua = { &runtime_lua, world_of, own, NULL, write_block };
