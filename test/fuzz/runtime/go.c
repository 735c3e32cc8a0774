/* SPDX-License-Identifier: Apache-2.0 */
/* Go's names come from files alone: go_functions.c. */
#include "runtime/go.c"
#include "test/fuzz/runtimes.h"

static struct fuzz_world world_of(unsigned choice)
{
	static uint64_t nothing[64];

	return (struct fuzz_world){ nothing, sizeof(nothing), { NULL }, 0 };
}

static void *own(struct runtime_process *from, unsigned choice)
{
	return NULL;
}

static bool write_block(struct runtime_process *to, unsigned choice,
		  const uint16_t *numbers)
{
	struct goroutine_place place = {
		.slot = -(int32_t)numbers[0],
		.machine = numbers[1] % 4096,
		.goroutine = numbers[2] % 4096,
		.sp = numbers[3] % 4096,
	};

	for (unsigned i = 0; i < NRANGES; i++) {
		to->block[RUNTIME_RANGES + 2 * i] = fuzz_address(numbers[4 + i]);
		to->block[RUNTIME_RANGES + 2 * i + 1] = numbers[4 + i];
	}
	return write_steps(to->block, &place);
}

const struct fuzz_runtime fuzz_go = { &runtime_go, world_of, own, NULL, write_block };
