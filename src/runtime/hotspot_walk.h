/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The walk over frames of a Java virtual machine, as a program of steps. */

#include "runtime/hotspot_code.h"

/* What frames and pieces of code look like. */
struct hotspot_layout {
	/* an interpreted frame, in words from the frame pointer */
	int64_t method, bytecode, sender, lowest;
	uint64_t constant;	/* in a method: its constant part */
	uint64_t constant_size; /* bytes of that before the bytecode */
	/* in a piece of code, from its first byte on */
	uint64_t header; /* there is something of the heap's before it */
	uint64_t frame, complete, complete_size, code;
	bool is_code_offset;
};

/* False: the machine's tables say something odd. */
bool hotspot_layout_read(const struct hotspot_vm *vm,
			 struct hotspot_layout *layout);
/* Fills the block with ranges, constants and steps; false: they do not fit. */
bool hotspot_walk_write(const struct hotspot_layout *layout,
			const struct hotspot_code *code, uint64_t *block);
/*
 * There is no code cache yet: any code may be in it, and it is time to look
 * again.
 */
bool hotspot_walk_wait(uint64_t *block);
