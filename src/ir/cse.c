/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common subexpressions: asking the kernel the same thing twice is expensive,
 * computing the same thing twice is pointless.
 *
 * 1. Queries whose answer cannot change within a firing (who, where) are asked
 *    once on every path through the program.  For each block we keep the
 *    register that holds each answer at its start; where paths with different
 *    registers meet, none holds it.  Jumps from the middle of a block carry
 *    what is known there.  Control only goes forward, so one walk is enough.
 * 2. The name of the task is such an answer too, but lives in memory: a second
 *    copy of it becomes an alias of the first, provided that nothing else
 *    writes to either.
 * 3. Arithmetic is shared within a block only; beyond it, the register it would
 *    occupy costs more than the instruction.
 *
 * The time is never shared: a clause that wants a single reading takes it once.
 */

#include <string.h>

#include "ir/internal.h"

enum { WINDOW = 64 }; /* arithmetic is shared with this many before it */

static bool is_lasting(int64_t query)
{
	return query == IR_QUERY_PID_TGID || query == IR_QUERY_UID_GID ||
	       query == IR_QUERY_CPU || query == IR_QUERY_TASK ||
	       query == IR_QUERY_TASK_TYPED || query == IR_QUERY_USER_REGS;
}

/* What is available: registers by query, object + 1 of the task's name. */
struct answers {
	ir_reg queries[IR_QUERY_COUNT];
	uint32_t comm;
	bool is_reached;
};

struct merger {
	struct ir_program *program;
	uint32_t *ndefs;	  /* by register */
	uint32_t *nwrites;	  /* by object */
	uint32_t *same_as;	  /* by object: what replaces it */
	struct answers *at_start; /* by block number */
	struct answers now;
	bool changed;
};

static void flow_to(struct merger *m, const struct ir_block *target)
{
	struct answers *there = &m->at_start[target->number];

	if (!there->is_reached) {
		*there = m->now;
		there->is_reached = true;
		return;
	}
	for (unsigned i = 0; i < IR_QUERY_COUNT; i++)
		if (there->queries[i] != m->now.queries[i])
			there->queries[i] = 0;
	if (there->comm != m->now.comm)
		there->comm = 0;
}

static void merge_query(struct merger *m, struct ir_insn *insn)
{
	ir_reg *holder = &m->now.queries[insn->imm];

	if (!is_lasting(insn->imm))
		return;
	if (*holder) {
		insn->op = IR_MOVE;
		insn->a = *holder;
		insn->imm = 0;
		m->changed = true;
	} else if (m->ndefs[insn->dst] == 1) {
		*holder = insn->dst;
	}
}

static void merge_comm(struct merger *m, struct ir_insn *insn)
{
	const struct ir_mem *mem = &insn->mem;

	if (mem->space != IR_FRAME || mem->offset || mem->base ||
	    m->nwrites[mem->object] != 1)
		return;
	if (!m->now.comm) {
		m->now.comm = mem->object + 1;
		return;
	}
	m->same_as[mem->object] = m->now.comm - 1;
	insn->op = IR_NOP;
	memset(&insn->mem, 0, sizeof(insn->mem));
	m->changed = true;
}

static bool is_same(const struct ir_insn *x, const struct ir_insn *y)
{
	return x->op == y->op && x->a == y->a && x->b == y->b &&
	       x->imm == y->imm && x->size == y->size &&
	       x->is_signed == y->is_signed;
}

/* Registers written more than once may differ between the two places. */
static bool is_stable(const struct merger *m, const struct ir_insn *insn)
{
	return m->ndefs[insn->dst] == 1 &&
	       (!insn->a || m->ndefs[insn->a] == 1) &&
	       (!insn->b || m->ndefs[insn->b] == 1);
}

static void merge_arithmetic(struct merger *m, struct ir_insn **window,
			     unsigned *count, struct ir_insn *insn)
{
	if (!is_stable(m, insn))
		return;

	unsigned first = *count > WINDOW ? *count - WINDOW : 0;

	for (unsigned i = *count; i-- > first;) {
		const struct ir_insn *before = window[i % WINDOW];

		if (!is_same(before, insn))
			continue;
		insn->op = IR_MOVE;
		insn->a = before->dst;
		insn->b = 0;
		insn->imm = 0;
		insn->size = 0;
		insn->is_signed = false;
		m->changed = true;
		return;
	}
	window[(*count)++ % WINDOW] = insn;
}

static void merge_block(struct merger *m, struct ir_block *block)
{
	struct ir_insn *window[WINDOW];
	unsigned count = 0;

	m->now = m->at_start[block->number];
	for (struct ir_insn *insn = block->first; insn; insn = insn->next) {
		if (insn->op == IR_QUERY)
			merge_query(m, insn);
		else if (insn->op == IR_COMM)
			merge_comm(m, insn);
		else if (ir_is_arithmetic(insn->op) && insn->op != IR_MOVE &&
			 insn->op != IR_CONST)
			merge_arithmetic(m, window, &count, insn);
		if (insn->target)
			flow_to(m, insn->target);
		if (insn->otherwise)
			flow_to(m, insn->otherwise);
	}
}

static void count_writes(struct merger *m)
{
	for (struct ir_block *block = m->program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (insn->dst)
				m->ndefs[insn->dst]++;
			if ((ir_op_flags(insn->op) & IR_WRITES_MEM) &&
			    insn->mem.space == IR_FRAME)
				m->nwrites[insn->mem.object]++;
		}
}

static void rename_objects(struct merger *m)
{
	for (struct ir_block *block = m->program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (insn->mem.space == IR_FRAME)
				insn->mem.object = m->same_as[insn->mem.object];
			if (insn->source.space == IR_FRAME)
				insn->source.object =
					m->same_as[insn->source.object];
		}
}

bool ir_merge_common(struct ir_program *program)
{
	struct arena *scratch = arena_new();
	struct merger m = { .program = program };

	ir_renumber(program);
	m.ndefs = arena_array_of(scratch, uint32_t, program->nregs + 1);
	m.nwrites = arena_array_of(scratch, uint32_t, program->nobjects + 1);
	m.same_as = arena_array_of(scratch, uint32_t, program->nobjects + 1);
	m.at_start = arena_array_of(scratch, struct answers,
				    program->nblocks + 1);
	for (uint32_t i = 0; i < program->nobjects; i++)
		m.same_as[i] = i;
	count_writes(&m);
	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		merge_block(&m, block);
	rename_objects(&m);
	arena_free(scratch);
	return m.changed;
}
