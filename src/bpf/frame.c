/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frame memory: where the objects of a firing are, and which words of them
 * must be zeroed because they might be read before they were written.
 *
 * Small objects go to the stack, smallest first, up to stack_budget bytes;
 * the rest shares one scratch slot, which costs a claim and a release.  An
 * object with a variable index goes to the slot in any case, and so does one
 * with unaligned fields: the verifier wants stack accesses fixed and aligned.
 *
 * What routines use is in the slot as well: the verifier does not remember what
 * is there, so that turns of a loop do not differ for it.
 *
 * A word counts as written only where one instruction writes all of it; that
 * is coarse, and the price is one superfluous store.
 */
#include "bpf/gen.h"

#include <string.h>

static bool is_scalar_access(const struct ir_insn *insn)
{
	return insn->op == IR_LOAD || insn->op == IR_STORE ||
	       insn->op == IR_ATOMIC_ADD;
}

static void note_object(struct gen *g, const struct ir_insn *insn,
			const struct ir_mem *mem)
{
	if (mem->space != IR_FRAME)
		return;
	struct object_home *home = &g->objects[mem->object];

	home->is_used = true;
	if (g->routine)
		home->in_routine = home->needs_scratch = true;
	/* Neither addresses nor pieces of unknown size are for the stack. */
	if (mem->base || insn->op == IR_USTACK || insn->op == IR_CALL_READ ||
	    insn->op == IR_CALL_WRITE || insn->op == IR_ADDRESS ||
	    insn->op == IR_WRITE_USER ||
	    ((insn->op == IR_READ || insn->op == IR_READ_STRING) && insn->b) ||
	    (is_scalar_access(insn) && mem->offset % insn->size))
		home->needs_scratch = true;
}

static void note_self(struct gen *g, const struct ir_insn *insn)
{
	uint32_t span = 0;

	if (!uses_space(insn, IR_SELF))
		return;
	if (insn->op != IR_LOAD && reads_mem(insn) &&
	    insn->mem.space == IR_SELF)
		span = mem_span(g, insn);
	if (reads_source(insn) && insn->source.space == IR_SELF &&
	    source_span(insn) > span)
		span = source_span(insn);
	if (span > g->self_zeros)
		g->self_zeros = span;
}

static void find_in_block(struct gen *g, const struct ir_block *block)
{
	for (const struct ir_insn *insn = block->first; insn;
	     insn = insn->next) {
		if (reads_mem(insn) || writes_mem(insn))
			note_object(g, insn, &insn->mem);
		if (reads_source(insn))
			note_object(g, insn, &insn->source);
		note_self(g, insn);
	}
}

static void find_in_routines(struct gen *g)
{
	const struct ir_program *program = g->program;
	const struct ir_routine *routine = g->routine;

	for (uint32_t i = 0; i < program->nroutines; i++) {
		g->routine = &program->routines[i];
		if (!g->routine->entry)
			continue;
		for (const struct ir_block *block = unit_first(g); block;
		     block = unit_next(g, block))
			find_in_block(g, block);
	}
	g->routine = routine;
}

static void find_objects(struct gen *g)
{
	const struct ir_program *program = g->program;

	g->objects = arena_array_of(g->arena, struct object_home,
				    program->nobjects);
	g->self_zeros = 0;
	g->frame_words = 0;
	for (uint32_t i = 0; i < program->nobjects; i++) {
		struct object_home *home = &g->objects[i];

		home->size = (program->objects[i].size + 7) & ~7u;
		home->first_word = g->frame_words;
		g->frame_words += home->size / 8;
	}
	for (uint32_t i = 0; i < g->nblocks; i++)
		find_in_block(g, g->blocks[i].ir);
	find_in_routines(g);
}

/* The smallest object that has no place yet and may be on the stack. */
static struct object_home *next_small(struct gen *g)
{
	struct object_home *best = NULL;

	for (uint32_t i = 0; i < g->program->nobjects; i++) {
		struct object_home *home = &g->objects[i];

		if (!home->is_used || home->needs_scratch || home->on_stack)
			continue;
		if (!best || home->size < best->size)
			best = home;
	}
	return best;
}

static void place_objects(struct gen *g)
{
	struct object_home *home;

	g->stack_objects = has_loop(g) ? PASSED_SIZE : 0;
	g->scratch_size = 0;
	while ((home = next_small(g)) &&
	       g->stack_objects + home->size <= g->stack_budget) {
		home->on_stack = true;
		g->stack_objects += home->size;
		home->offset = -(int32_t)(TEMP_SIZE + g->stack_objects);
	}
	for (uint32_t i = 0; i < g->program->nobjects; i++) {
		home = &g->objects[i];
		if (!home->is_used || home->on_stack)
			continue;
		if (home->size > SCRATCH_MOST - g->scratch_size) {
			emit_fail(
				&g->e,
				"this-> variables take more than 2 GB: declare smaller arrays");
			return;
		}
		home->offset = (int32_t)g->scratch_size;
		g->scratch_size += home->size;
	}
	g->scratch_size = (g->scratch_size + SCRATCH_ALIGN - 1) &
			  ~(uint32_t)(SCRATCH_ALIGN - 1);
}

/* ------------------------------------------------- written before read? */

struct words {
	struct gen *g;
	uint32_t count;	     /* of 64-bit pieces of a set */
	uint64_t **at_start; /* by block; NULL: not reached yet */
	uint64_t *now;
};

static void read_words(struct words *w, const struct ir_mem *mem, uint32_t span)
{
	if (mem->space != IR_FRAME || !span ||
	    w->g->program->objects[mem->object].is_raw)
		return;
	const struct object_home *home = &w->g->objects[mem->object];
	uint32_t first = (uint32_t)mem->offset / 8;
	uint32_t last = ((uint32_t)mem->offset + span - 1) / 8;

	if (mem->base) {
		first = 0;
		last = home->size / 8 - 1;
	}
	for (uint32_t i = first; i <= last && i < home->size / 8; i++) {
		uint32_t word = home->first_word + i;

		if (!(w->now[word / 64] >> (word % 64) & 1))
			w->g->zero_words[word / 64] |= (uint64_t)1
						       << (word % 64);
	}
}

/* A routine may read all that it uses before it writes it. */
static void read_routine_words(struct words *w)
{
	const struct gen *g = w->g;

	for (uint32_t i = 0; i < g->program->nobjects; i++)
		if (g->objects[i].in_routine)
			read_words(w,
				   &(struct ir_mem){ .space = IR_FRAME,
						     .object = i },
				   g->objects[i].size);
}

static void write_words(struct words *w, const struct ir_mem *mem,
			uint32_t span)
{
	if (mem->space != IR_FRAME || mem->base)
		return;
	const struct object_home *home = &w->g->objects[mem->object];
	uint32_t first = ((uint32_t)mem->offset + 7) / 8;
	uint32_t end = ((uint32_t)mem->offset + span) / 8;

	for (uint32_t i = first; i < end && i < home->size / 8; i++) {
		uint32_t word = home->first_word + i;

		w->now[word / 64] |= (uint64_t)1 << (word % 64);
	}
}

static void flow_to(struct words *w, const struct ir_block *block)
{
	if (!block)
		return;
	uint64_t **there = &w->at_start[block_of(w->g, block)];

	if (!*there) {
		*there = arena_copy(w->g->arena, w->now,
				    w->count * sizeof(uint64_t));
		return;
	}
	for (uint32_t i = 0; i < w->count; i++)
		(*there)[i] &= w->now[i];
}

static void find_zero_words(struct gen *g)
{
	struct words w = { .g = g, .count = g->frame_words / 64 + 1 };

	g->zero_words = arena_array_of(g->arena, uint64_t, w.count);
	w.at_start = arena_array_of(g->arena, uint64_t *, g->nblocks);
	w.at_start[0] = arena_array_of(g->arena, uint64_t, w.count);
	w.now = arena_array_of(g->arena, uint64_t, w.count);
	for (uint32_t i = 0; i < g->nblocks; i++) {
		memcpy(w.now, w.at_start[i], w.count * sizeof(uint64_t));
		for (const struct ir_insn *insn = g->blocks[i].ir->first; insn;
		     insn = insn->next) {
			if (reads_mem(insn))
				read_words(&w, &insn->mem, mem_span(g, insn));
			if (reads_source(insn))
				read_words(&w, &insn->source,
					   source_span(insn));
			if (ir_calls_routine(insn))
				read_routine_words(&w);
			flow_to(&w, insn->target);
			flow_to(&w, insn->otherwise);
			if (writes_mem(insn))
				write_words(&w, &insn->mem, mem_span(g, insn));
		}
	}
}

void frame_layout(struct gen *g)
{
	find_objects(g);
	place_objects(g);
	find_zero_words(g);
}
