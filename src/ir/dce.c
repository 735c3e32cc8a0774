/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dead code: blocks that are never reached, values and frame memory that are
 * never read.
 *
 * Lowering is generous: it zeroes every this-> variable, loads the NULL mark of
 * every string, reads what a translator might need.  This pass is what makes
 * that cheap.  It never removes an instruction that can fault, because a fault
 * is part of what the program means.
 *
 * Liveness needs one walk backward, since control only goes forward.  Jumps
 * from the middle of a block make what their target needs live there.
 */

#include <string.h>

#include "ir/internal.h"

/* ----------------------------------------------------------------- blocks */

/* A block that only goes elsewhere is jumped over. */
static struct ir_block *final_target(struct ir_block *block)
{
	while (block->first && block->first->op == IR_GOTO)
		block = block->first->target;
	return block;
}

static bool thread_jumps(struct ir_program *program)
{
	bool changed = false;

	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			struct ir_block *target = insn->target,
					*otherwise = insn->otherwise;

			if (target)
				insn->target = final_target(target);
			if (otherwise)
				insn->otherwise = final_target(otherwise);
			changed |= target != insn->target ||
				   otherwise != insn->otherwise;
		}
	return changed;
}

/* Routines are called from anywhere, also from routines after them. */
static void count_calls(const struct ir_program *program, uint32_t *edges)
{
	for (const struct ir_block *block = program->blocks; block;
	     block = block->next)
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next)
			if (ir_calls_routine(insn))
				edges[program->routines[insn->imm]
					      .entry->number]++;
}

static void count_edges(const struct ir_program *program, uint32_t *edges)
{
	edges[program->blocks->number] = 1;
	if (program->nroutines)
		count_calls(program, edges);
	for (const struct ir_block *block = program->blocks; block;
	     block = block->next) {
		if (!edges[block->number])
			continue;
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (insn->target)
				edges[insn->target->number]++;
			if (insn->otherwise)
				edges[insn->otherwise->number]++;
		}
	}
}

/* Their blocks were removed: nothing calls them. */
static void forget_routines(struct ir_program *program, const uint32_t *edges)
{
	for (uint32_t i = 0; i < program->nroutines; i++) {
		struct ir_routine *routine = &program->routines[i];

		if (routine->entry && !edges[routine->entry->number])
			routine->entry = NULL;
	}
}

/* `next` follows `block` and is entered from its end only: one block. */
static void join(struct ir_program *program, struct ir_block *block)
{
	struct ir_block *next = block->next;

	block->last->op = IR_NOP;
	block->last->target = NULL;
	block->last->next = next->first;
	block->last = next->last;
	block->next = next->next;
	if (program->last_block == next)
		program->last_block = block;
}

static bool remove_blocks(struct ir_program *program, struct arena *scratch)
{
	bool changed = thread_jumps(program);

	ir_renumber(program);

	uint32_t *edges = arena_array_of(scratch, uint32_t, program->nblocks);

	count_edges(program, edges);
	forget_routines(program, edges);
	for (struct ir_block *block = program->blocks; block;) {
		struct ir_block *next = block->next;

		if (next && !edges[next->number]) {
			block->next = next->next;
			if (program->last_block == next)
				program->last_block = block;
			changed = true;
		} else if (next && block->last && block->last->op == IR_GOTO &&
			   block->last->target == next &&
			   edges[next->number] == 1) {
			join(program, block);
			changed = true;
		} else {
			block = next;
		}
	}
	ir_renumber(program);
	return changed;
}

/* ----------------------------------------------------------------- values */

struct liveness {
	size_t words;
	uint64_t **at_start; /* by block number */
	uint64_t *now;
	bool changed;
};

static void add_live(struct liveness *live, const struct ir_block *block)
{
	for (size_t i = 0; block && i < live->words; i++)
		live->now[i] |= live->at_start[block->number][i];
}

static bool is_live(const struct liveness *live, ir_reg reg)
{
	return live->now[reg / 64] >> (reg % 64) & 1;
}

static void walk_insn(struct liveness *live, struct ir_insn *insn)
{
	unsigned flags = ir_op_flags(insn->op);
	ir_reg reads[IR_MAX_READS];

	if (insn->dst && !is_live(live, insn->dst)) {
		if (flags & IR_IS_PURE) {
			memset(&insn->mem, 0, sizeof(insn->mem));
			memset(&insn->source, 0, sizeof(insn->source));
			insn->op = IR_NOP;
			insn->a = insn->b = insn->dst = 0;
			insn->size = 0;
			insn->is_signed = false;
			live->changed = true;
			return;
		}
		if (insn->op == IR_READ_STRING || insn->op == IR_STACK ||
		    insn->op == IR_USTACK) {
			insn->dst = 0;
			live->changed = true;
		}
	}
	if (insn->dst)
		live->now[insn->dst / 64] &= ~(UINT64_C(1) << insn->dst % 64);

	unsigned nreads = ir_reads(insn, reads);

	for (unsigned i = 0; i < nreads; i++)
		live->now[reads[i] / 64] |= UINT64_C(1) << reads[i] % 64;
	add_live(live, insn->target);
	add_live(live, insn->otherwise);
}

static void walk_block(struct liveness *live, struct arena *scratch,
		       struct ir_block *block)
{
	size_t count = 0;

	for (struct ir_insn *insn = block->first; insn; insn = insn->next)
		count++;

	struct ir_insn **insns = arena_array_of(scratch, struct ir_insn *,
						count + 1);

	count = 0;
	for (struct ir_insn *insn = block->first; insn; insn = insn->next)
		insns[count++] = insn;
	memset(live->now, 0, live->words * sizeof(uint64_t));
	while (count--)
		walk_insn(live, insns[count]);
	live->at_start[block->number] =
		arena_copy(scratch, live->now, live->words * sizeof(uint64_t));
}

static bool remove_values(struct ir_program *program, struct arena *scratch)
{
	struct liveness live = { .words = program->nregs / 64 + 1 };
	struct ir_block **order = arena_array_of(scratch, struct ir_block *,
						 program->nblocks);

	live.at_start = arena_array_of(scratch, uint64_t *, program->nblocks);
	live.now = arena_array_of(scratch, uint64_t, live.words);
	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		order[block->number] = block;
	for (uint32_t i = program->nblocks; i-- > 0;)
		walk_block(&live, scratch, order[i]);
	return live.changed;
}

/* ---------------------------------------------------------------- objects */

/* Remove writes to frame memory that is never read. */
static bool remove_writes(struct ir_program *program, struct arena *scratch)
{
	bool *is_read = arena_array_of(scratch, bool, program->nobjects + 1);
	bool changed = false;

	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			unsigned flags = ir_op_flags(insn->op);

			if ((flags & IR_READS_MEM) &&
			    insn->mem.space == IR_FRAME)
				is_read[insn->mem.object] = true;
			if ((flags & IR_READS_SOURCE) &&
			    insn->source.space == IR_FRAME)
				is_read[insn->source.object] = true;
		}
	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			unsigned flags = ir_op_flags(insn->op);

			if (!(flags & IR_WRITES_MEM) ||
			    (flags & (IR_MAY_JUMP | IR_READS_MEM)) ||
			    insn->mem.space != IR_FRAME || insn->dst ||
			    is_read[insn->mem.object])
				continue;
			*insn = (struct ir_insn){ .op = IR_NOP,
						  .place = insn->place,
						  .next = insn->next };
			changed = true;
		}
	return changed;
}

static bool is_used(const struct ir_mem *mem, bool *used)
{
	if (mem->space == IR_FRAME)
		used[mem->object] = true;
	return mem->space == IR_FRAME;
}

/* Objects that are left move together; their numbers change. */
static void pack_objects(struct ir_program *program, struct arena *scratch)
{
	bool *used = arena_array_of(scratch, bool, program->nobjects + 1);
	uint32_t *moved = arena_array_of(scratch, uint32_t,
					 program->nobjects + 1);
	uint32_t count = 0;

	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			is_used(&insn->mem, used);
			is_used(&insn->source, used);
		}
	for (uint32_t i = 0; i < program->nobjects; i++)
		if (used[i]) {
			program->objects[count] = program->objects[i];
			moved[i] = count++;
		}
	program->nobjects = count;
	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (is_used(&insn->mem, used))
				insn->mem.object = moved[insn->mem.object];
			if (is_used(&insn->source, used))
				insn->source.object =
					moved[insn->source.object];
		}
}

static void remove_nops(struct ir_block *block)
{
	struct ir_insn **link = &block->first;
	struct ir_insn *last = NULL;

	while (*link) {
		if ((*link)->op == IR_NOP) {
			*link = (*link)->next;
			continue;
		}
		last = *link;
		link = &last->next;
	}
	block->last = last;
}

bool ir_remove_dead(struct ir_program *program)
{
	struct arena *scratch = arena_new();
	bool changed = remove_blocks(program, scratch);

	changed |= remove_values(program, scratch);
	changed |= remove_writes(program, scratch);
	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		remove_nops(block);
	pack_objects(program, scratch);
	arena_free(scratch);
	return changed;
}
