/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which registers are needed where a block starts.
 *
 * Most registers live in one block, and most others in a few, so a set of all
 * registers for each block would be mostly zeros: with n loops, n times n of
 * them.  Instead each register is followed by itself, from the blocks that read
 * what others have written, against the jumps, to the blocks that write it.
 * The work is as large as the answer.
 *
 * 1. A block may be left in its middle, for a fault.  What is written after
 *    that jump, or by the instruction that jumps, does not count there.
 * 2. The limit of turns leaves a loop from its header.
 */
#include "ir/internal.h"

/* A place where a register is read or written, or a jump: in program order. */
struct mention {
	uint32_t block, at;
	bool is_write;
};

struct list {
	uint32_t first, count;
};

struct search {
	const struct ir_program *program;
	struct arena *arena;
	struct ir_live *live;
	struct mention *mentions; /* by register */
	struct list *of_register;
	struct mention *jumps; /* from where, by target */
	struct list *of_block;
	uint32_t *written; /* by block: where first, counted from 1; 0: not */
	ir_reg *reached;   /* by block: the register that was last found live */
	uint32_t *todo;
};

/* What is done with each thing that is found: counted first, then kept. */
typedef void note(struct search *search, uint32_t of, struct mention mention);

static void count_mention(struct search *search, uint32_t reg,
			  struct mention mention)
{
	(void)mention;
	search->of_register[reg].count++;
}

static void keep_mention(struct search *search, uint32_t reg,
			 struct mention mention)
{
	struct list *list = &search->of_register[reg];

	search->mentions[list->first + list->count++] = mention;
}

static void count_jump(struct search *search, uint32_t target,
		       struct mention mention)
{
	(void)mention;
	search->of_block[target].count++;
}

static void keep_jump(struct search *search, uint32_t target,
		      struct mention mention)
{
	struct list *list = &search->of_block[target];

	search->jumps[list->first + list->count++] = mention;
}

static void note_insn(struct search *search, const struct ir_insn *insn,
		      struct mention here, note *mention, note *jump)
{
	ir_reg reads[IR_MAX_READS];

	for (unsigned n = ir_reads(insn, reads); n-- > 0;)
		mention(search, reads[n], here);
	if (insn->target)
		jump(search, insn->target->number, here);
	if (insn->otherwise)
		jump(search, insn->otherwise->number, here);
	here.is_write = true;
	if (insn->dst)
		mention(search, insn->dst, here);
}

static void note_all(struct search *search, note *mention, note *jump)
{
	for (const struct ir_block *block = search->program->blocks; block;
	     block = block->next) {
		struct mention here = { .block = block->number };

		if (block->is_header && block->limited->target)
			jump(search, block->limited->target->number, here);
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			here.at++;
			note_insn(search, insn, here, mention, jump);
		}
	}
}

/* Lists one after the other, as long as they were counted; the room for all. */
static uint32_t place_lists(struct list *lists, uint32_t nlists)
{
	uint32_t total = 0;

	for (uint32_t i = 0; i < nlists; i++) {
		lists[i].first = total;
		total += lists[i].count;
		lists[i].count = 0;
	}
	return total;
}

static void find_mentions(struct search *search)
{
	const struct ir_program *program = search->program;
	struct arena *arena = search->arena;

	search->of_register = arena_array_of(arena, struct list,
					     program->nregs + 1);
	search->of_block = arena_array_of(arena, struct list, program->nblocks);
	note_all(search, count_mention, count_jump);
	search->mentions = arena_array_of(arena, struct mention,
					  place_lists(search->of_register,
						      program->nregs + 1) +
						  1);
	search->jumps = arena_array_of(arena, struct mention,
				       place_lists(search->of_block,
						   program->nblocks) +
					       1);
	note_all(search, keep_mention, keep_jump);
}

/* The register is live at the start of the block; yields the new end of todo. */
static uint32_t reach(struct search *search, ir_reg reg, uint32_t block,
		      uint32_t ntodo)
{
	struct ir_live_registers *at = &search->live->at[block];

	if (search->reached[block] == reg)
		return ntodo;
	search->reached[block] = reg;
	at->regs = arena_grown(search->arena, at->regs, at->count,
			       sizeof(*at->regs));
	at->regs[at->count++] = reg;
	search->todo[ntodo] = block;
	return ntodo + 1;
}

/* Up from the blocks in todo. */
static void climb(struct search *search, ir_reg reg, uint32_t ntodo)
{
	while (ntodo) {
		uint32_t block = search->todo[--ntodo];
		const struct list *jumps = &search->of_block[block];

		for (uint32_t i = 0; i < jumps->count; i++) {
			const struct mention *from =
				&search->jumps[jumps->first + i];
			uint32_t written = search->written[from->block];

			search->live->work++;
			if (!written || written >= from->at)
				ntodo = reach(search, reg, from->block, ntodo);
		}
	}
}

static void follow(struct search *search, ir_reg reg)
{
	const struct list *list = &search->of_register[reg];
	const struct mention *mentions = &search->mentions[list->first];
	uint32_t ntodo = 0;

	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t block = mentions[i].block;

		search->live->work++;
		if (!mentions[i].is_write && !search->written[block])
			ntodo = reach(search, reg, block, ntodo);
		else if (mentions[i].is_write && !search->written[block])
			search->written[block] = mentions[i].at;
	}
	climb(search, reg, ntodo);
	for (uint32_t i = 0; i < list->count; i++)
		search->written[mentions[i].block] = 0;
}

struct ir_live *ir_find_live(const struct ir_program *program,
			     struct arena *arena)
{
	struct ir_live *live = arena_new_of(arena, struct ir_live);
	struct search search = {
		.program = program,
		.arena = arena,
		.live = live,
		.written = arena_array_of(arena, uint32_t, program->nblocks),
		.reached = arena_array_of(arena, ir_reg, program->nblocks),
		.todo = arena_array_of(arena, uint32_t, program->nblocks),
	};

	live->at = arena_array_of(arena, struct ir_live_registers,
				  program->nblocks);
	find_mentions(&search);
	for (ir_reg reg = 1; reg <= program->nregs; reg++)
		follow(&search, reg);
	return live;
}
