/* SPDX-License-Identifier: Apache-2.0 */
#define main v8_unit_test
#include "runtime/v8_test.c"
#undef main

#include "test/fuzz/runtimes.h"

static struct fuzz_world world_of(unsigned choice)
{
	make_world();
	make_optimised();
	return (struct fuzz_world){ &world,
				    sizeof(world),
				    { shared, optimised },
				    choice & 1 ? 0x10 : V8_BASELINE + 9 };
}

static void *own(struct runtime_process *from, unsigned choice)
{
	world_of(choice);
	if (choice & 2)
		v8.code = &code_layouts[choice >> 2 & 1];
	v8.blob = fuzz_address(choice);
	v8.blob_size = v8.blob + 8;
	return &v8;
}

static void release(void *own)
{
	for (unsigned i = 0; i < V8_SCRIPTS; i++)
		free(v8.scripts[i].ends);
	memset(v8.scripts, 0, sizeof(v8.scripts));
}

static bool write_block(struct runtime_process *to, unsigned choice,
		  const uint16_t *numbers)
{
	if (choice & 4) {
		to->block[BLOB_AT] = v8.blob;
		to->block[BLOB_SIZE_AT] = v8.blob_size;
	}
	return write_steps(&v8, to->block);
}

const struct fuzz_runtime fuzz_v8 = { &runtime_v8, world_of, own, release, write_block };
