/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Register allocation over an abstract flow of steps, so that it can be
 * tested without IR or a kernel.  Virtual registers are 0 .. nregs-1.
 *
 * A step reads some registers, then writes some.  It may leave its block for
 * `exit` after reading; on that path it writes `exit_writes` instead.  Steps
 * that call helpers (or use R3-R5 otherwise) destroy R1-R5 before they have
 * read everything; R0-R2 belong to the templates and are never allocated.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { FLOW_READS = 24, FLOW_WRITES = 5, FLOW_NOWHERE = -1 };

struct flow_step {
	uint32_t reads[FLOW_READS], writes[FLOW_WRITES];
	uint32_t exit_writes[FLOW_WRITES];
	uint8_t nreads, nwrites, nexit_writes;
	bool clobbers; /* R1-R5 */
	int32_t exit;  /* block, or FLOW_NOWHERE */
};

struct flow_block {
	uint32_t first, end; /* steps; never empty */
	int32_t next[2];     /* blocks that follow, or FLOW_NOWHERE */
};

struct flow {
	struct flow_step *steps;
	uint32_t nsteps;
	struct flow_block *blocks; /* block 0 is the entry */
	uint32_t nblocks;
	uint32_t nregs;
};

enum home_kind {
	HOME_NONE,		/* never live */
	HOME_REGISTER,
	HOME_SLOT,		/* number of an 8-byte stack slot */
};

struct home {
	enum home_kind kind;
	uint32_t number;
};

struct allocation {
	struct home *homes;  /* by virtual register */
	bool *live_at_entry; /* read on some path before being written */
	uint32_t nslots;
	const uint64_t *live_in; /* sets of registers, by block */
	uint32_t words;		 /* of a set */
};

static inline bool is_live_in(const struct allocation *homes, int32_t block,
			      uint32_t reg)
{
	return homes->live_in[(size_t)block * homes->words + reg / 64] >>
		       (reg % 64) &
	       1;
}

struct allocation regalloc(struct arena *arena, const struct flow *flow);
