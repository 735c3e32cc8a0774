/* SPDX-License-Identifier: Apache-2.0 */
#define main php_unit_test
#include "runtime/php_test.c"
#undef main

#include "test/fuzz/runtimes.h"

static struct fuzz_world world_of(unsigned choice)
{
	if (!world)
		start(NULL);
	make_world();
	return (struct fuzz_world){
		world, sizeof(*world), { world->function, world->class }, 12
	};
}

static void *own(struct runtime_process *from, unsigned choice)
{
	memset(&php, 0, sizeof(php));
	php.filename = FILE_AT;
	return &php;
}

/* prepare() takes no others. */
static bool write_block(struct runtime_process *to, unsigned choice,
		  const uint16_t *numbers)
{
	to->block[RUNTIME_OWN] = fuzz_address(numbers[0]);
	return write_steps(to->block, 1 + numbers[1] % 64,
			   MARKS_BEFORE_PREVIOUS + numbers[2] % 57,
			   1 + numbers[3] % 64);
}

const struct fuzz_runtime fuzz_php = { &runtime_php, world_of, own, NULL, write_block };
