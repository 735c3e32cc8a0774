/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops as they are laid out, before they are written out (unroll.c) or become
 * routines (outline.c): a header, the blocks of the loop, and its exit.
 */
#include "ir/internal.h"

struct ir_block *ir_before_loop(struct ir_block *block)
{
	while (block && !(block->next && block->next->is_header))
		block = block->next;
	return block;
}

bool ir_functions_loop(const struct ir_program *program)
{
	for (uint32_t i = 0; i < program->nroutines; i++)
		for (const struct ir_block *block = program->routines[i].entry;
		     block; block = block->next)
			if (block->is_header)
				return true;
	return false;
}

struct ir_block *ir_take_loop(struct ir_program *program,
			      struct ir_block *before)
{
	struct ir_block *header = before->next, *last = header;

	while (last->next != header->exit)
		last = last->next;
	before->next = header->exit;
	if (program->last_block == last)
		program->last_block = before;
	return last;
}

struct ir_definitions ir_find_definitions(const struct ir_program *program,
					  struct arena *arena)
{
	struct ir_definitions found = {
		.count = arena_array_of(arena, uint32_t, program->nregs + 1),
		.last = arena_array_of(arena, struct ir_insn *,
				       program->nregs + 1),
	};

	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next)
			if (insn->dst) {
				found.count[insn->dst]++;
				found.last[insn->dst] = insn;
			}
	return found;
}
