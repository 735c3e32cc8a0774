/* SPDX-License-Identifier: Apache-2.0 */
#define main perl_unit_test
#include "runtime/perl_test.c"
#undef main

#include "test/fuzz/runtimes.h"

static struct fuzz_world world_of(unsigned choice)
{
	if (!world)
		start(NULL);
	make_world();
	return (struct fuzz_world){
		world, sizeof(*world), { world->cv, world->statement },
		choice & 1 ? DETAIL_EVAL : 24
	};
}

static void *own(struct runtime_process *from, unsigned choice)
{
	memset(&perl, 0, sizeof(perl));
	return &perl;
}

static bool write_block(struct runtime_process *to, unsigned choice,
		  const uint16_t *numbers)
{
	to->block[KEY] = fuzz_address(numbers[0]);
	for (unsigned i = 0; i < 3; i++) {
		to->block[CATCH + 2 * i] = fuzz_address(numbers[1 + i]);
		to->block[CATCH + 2 * i + 1] = numbers[4 + i];
	}
	/* find_stack() takes no other */
	return write_steps(to->block, 64 + numbers[7] % (1024 - 64));
}

const struct fuzz_runtime fuzz_perl = { &runtime_perl, world_of, own, NULL, write_block };
