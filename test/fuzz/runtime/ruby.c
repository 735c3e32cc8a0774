/* SPDX-License-Identifier: Apache-2.0 */
#define main ruby_unit_test
#include "runtime/ruby_name_test.c"
#undef main

#include "runtime/ruby.c"
#include "test/fuzz/runtimes.h"

static struct fuzz_world world_of(unsigned choice)
{
	if (!world)
		start(NULL);
	make_world();
	/* of C */
	if (choice & 1)
		world->definition[0] = 1;
	return (struct fuzz_world){
		world, sizeof(*world), { world->entry, world->sequence }, 61
	};
}

static void *own(struct runtime_process *from, unsigned choice)
{
	const struct fuzz_world here = world_of(choice);
	uint64_t start = at(here.bytes);
	uint64_t *places[] = { &ruby.class_name, &ruby.symbols[0],
			       &ruby.symbols[1] };

	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++)
		*places[i] = fuzz_address(0) + (*places[i] - start);
	return &ruby;
}

static bool write_block(struct runtime_process *to, unsigned choice,
		  const uint16_t *numbers)
{
	to->block[MODULE_AT] = choice & 2 ? fuzz_address(numbers[0]) : 0;
	to->block[OFFSET] = numbers[1];
	return write_steps(to->block, &ruby);
}

const struct fuzz_runtime fuzz_ruby = { &runtime_ruby, world_of, own, NULL, write_block };
