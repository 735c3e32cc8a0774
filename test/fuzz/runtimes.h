/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What the fuzz target of runtimes (runtimes.c) wants from each of them
 * (runtime/): a little world that is whole, and what they write for the walk.
 * Worlds are those of the unit tests, which are included for that.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"

struct fuzz_world {
	void *bytes;
	size_t size;
	const void *objects[4]; /* that frames point to; NULL ends */
	uint32_t detail;	/* a good one */
};

struct fuzz_runtime {
	const struct runtime *runtime;
	/* In this process; `choice`: any number, of versions and the like. */
	struct fuzz_world (*make)(unsigned choice);
	/*
	 * process->own for such worlds.  The process may be read, and tells
	 * anything.  NULL: it tells nothing that makes sense.
	 */
	void *(*own)(struct runtime_process *process, unsigned choice);
	/* What own() and naming have taken. */
	void (*release)(void *own);
	/* Steps and constants; numbers: any that files may have. */
	bool (*write)(struct runtime_process *process, unsigned choice,
		      const uint16_t *numbers);
};

extern const struct fuzz_runtime fuzz_cpython, fuzz_go, fuzz_hotspot, fuzz_lua,
	fuzz_perl, fuzz_php, fuzz_ruby, fuzz_v8;
/* Where a process has what is not in any file; for own(). */
uint64_t fuzz_address(unsigned n);
