/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier of our own form: what ir.h promises, checked.
 *
 * One walk over the blocks in layout order.  Since control only goes forward,
 * when a block is reached all edges into it have been seen; the registers
 * defined at its start are those defined on every edge.  An edge may leave
 * from the middle of a block (faults), so the set is noted at the jump, not
 * at the end.
 *
 * It finds: blocks without an end or with one too early, targets that are
 * missing or come earlier, registers read before they are written on some path,
 * bad sizes, spaces an op may not touch, and memory outside its object.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ir/ir.h"

struct verifier {
	const struct ir_program *program;
	size_t words;	    /* of a register set */
	uint64_t **defined; /* at each block's start; NULL: not reached */
	uint32_t *position; /* of each block, by number; + 1 */
	uint32_t npositions;
	uint64_t *now;
	struct arena *scratch;
	uint32_t here; /* position of the current block */
	char message[160];
	bool failed;
};

static void wrong(struct verifier *v, const struct ir_insn *insn,
		  const char *what)
{
	if (v->failed)
		return;
	v->failed = true;
	snprintf(v->message, sizeof(v->message), "block %" PRIu32 ": %s: %s",
		 v->here, insn ? ir_op_name(insn->op) : "end", what);
}

static bool is_defined(const struct verifier *v, ir_reg reg)
{
	return v->now[reg / 64] >> (reg % 64) & 1;
}

/* An edge to `target` with what is defined now. */
static void flow_to(struct verifier *v, const struct ir_insn *insn,
		    const struct ir_block *target)
{
	if (!target) {
		wrong(v, insn, "no target");
		return;
	}
	if (target->number >= v->npositions || !v->position[target->number]) {
		wrong(v, insn, "target was never placed");
		return;
	}

	uint32_t at = v->position[target->number] - 1;

	/* Back to a header: what it needs was there when it was entered. */
	if (target->is_header && insn->op == IR_GOTO && v->defined[at])
		return;
	if (at <= v->here) {
		wrong(v, insn, "jumps backward");
		return;
	}
	if (!v->defined[at]) {
		v->defined[at] = arena_copy(v->scratch, v->now,
					    v->words * sizeof(uint64_t));
		return;
	}
	for (size_t i = 0; i < v->words; i++)
		v->defined[at][i] &= v->now[i];
}

static bool is_addressed(enum ir_space space)
{
	return space == IR_TYPED || space == IR_KERNEL || space == IR_USER;
}

static void check_mem(struct verifier *v, const struct ir_insn *insn,
		      const struct ir_mem *mem, int64_t size)
{
	const struct ir_program *program = v->program;
	int64_t end = mem->offset + size;

	if (is_addressed(mem->space)) {
		if (!mem->base)
			wrong(v, insn, "address without a register");
		return;
	}
	if (mem->base && !mem->bound)
		wrong(v, insn, "index without a bound");
	if (mem->offset < 0)
		wrong(v, insn, "negative offset");
	if (mem->space == IR_FRAME) {
		if (mem->object >= program->nobjects)
			wrong(v, insn, "no such object");
		else if (end > program->objects[mem->object].size)
			wrong(v, insn, "outside of its object");
	}
	if (mem->space == IR_RODATA && end > program->rodata_size)
		wrong(v, insn, "outside of rodata");
}

/* Bytes of mem that an op touches. */
static int64_t mem_size(const struct ir_program *program,
			const struct ir_insn *insn)
{
	switch (insn->op) {
	case IR_ARRAY_READ:
	case IR_ARRAY_WRITE:
		return insn->imm >= 0 && insn->imm < program->narrays
			       ? program->arrays[insn->imm].value_size
			       : 0;
	case IR_LOAD:
	case IR_STORE:
	case IR_ATOMIC_ADD:
		return insn->size;
	case IR_COMM:
		return 16;
	case IR_AGGREGATE:
		return 0;
	default:
		return insn->imm;
	}
}

static void check_spaces(struct verifier *v, const struct ir_insn *insn)
{
	unsigned flags = ir_op_flags(insn->op);

	if (flags & (IR_READS_MEM | IR_WRITES_MEM)) {
		bool may_be_typed = insn->op == IR_LOAD ||
				    insn->op == IR_ADDRESS;
		bool may_be_nowhere = insn->op == IR_AGGREGATE;

		if ((insn->mem.space == IR_KERNEL ||
		     insn->mem.space == IR_USER) &&
		    insn->op != IR_ADDRESS)
			wrong(v, insn, "memory that needs a checked read");
		if (insn->mem.space == IR_TYPED && !may_be_typed)
			wrong(v, insn, "typed memory can only be loaded");
		if (insn->mem.space == IR_NOWHERE && !may_be_nowhere)
			wrong(v, insn, "no memory");
		else if (insn->mem.space != IR_NOWHERE)
			check_mem(v, insn, &insn->mem,
				  mem_size(v->program, insn));
	}
	if ((flags & IR_WRITES_MEM) &&
	    (insn->mem.space == IR_RODATA || insn->mem.space == IR_CONTEXT))
		wrong(v, insn, "writes what is read-only");
	if (flags & IR_READS_SOURCE) {
		if (is_addressed(insn->source.space) || !insn->source.space)
			wrong(v, insn, "bad source");
		else
			check_mem(v, insn, &insn->source,
				  insn->op == IR_COPY ? insn->imm : insn->imm2);
	}
	if (insn->op == IR_ADDRESS && !is_addressed(insn->mem.space) &&
	    insn->mem.space != IR_FRAME && insn->mem.space != IR_CONTEXT &&
	    insn->mem.space != IR_GLOBAL && insn->mem.space != IR_SELF)
		wrong(v, insn, "address of memory that has none");
}

static void check_size(struct verifier *v, const struct ir_insn *insn)
{
	bool is_sized = insn->op == IR_LOAD || insn->op == IR_STORE ||
			insn->op == IR_ATOMIC_ADD || insn->op == IR_EXTEND ||
			insn->op == IR_READ_SCALAR ||
			insn->op == IR_ARRAY_LOAD ||
			insn->op == IR_ARRAY_STORE || insn->op == IR_ARRAY_ADD;

	if (!is_sized)
		return;
	if (insn->size != 1 && insn->size != 2 && insn->size != 4 &&
	    insn->size != 8)
		wrong(v, insn, "bad size");
	if ((insn->op == IR_ATOMIC_ADD || insn->op == IR_ARRAY_ADD) &&
	    insn->size < 4)
		wrong(v, insn, "bad size");
}

static void check_array(struct verifier *v, const struct ir_insn *insn)
{
	if (insn->op < IR_ARRAY_LOAD || insn->op > IR_ARRAY_SWEEP)
		return;
	if (insn->imm < 0 || insn->imm >= v->program->narrays)
		wrong(v, insn, "no such array");
	else if (insn->op != IR_ARRAY_SWEEP &&
		 insn->imm2 != v->program->arrays[insn->imm].key_size)
		wrong(v, insn, "a key of another size");
}

static void check_aggregate(struct verifier *v, const struct ir_insn *insn)
{
	if (insn->imm < 0 || insn->imm >= v->program->naggregations) {
		wrong(v, insn, "no such aggregation");
		return;
	}
	uint32_t nvalues = v->program->aggregations[insn->imm].nvalues;

	if (!insn->slots || !insn->slots->count ||
	    insn->slots->count > IR_SLOT_CHANGES) {
		wrong(v, insn, "changes nothing");
		return;
	}
	for (uint32_t i = 0; i < insn->slots->count; i++) {
		const struct ir_slot_change *change = &insn->slots->changes[i];
		bool is_wide = change->op == IR_SLOT_ADD128;

		if (change->slot + is_wide >= nvalues)
			wrong(v, insn, "no such slot");
		if (!change->value || is_wide != (change->high != 0))
			wrong(v, insn, "a change without its value");
		if (is_wide && change->index)
			wrong(v, insn, "two slots with an index");
	}
}

static void check_insn(struct verifier *v, const struct ir_insn *insn)
{
	ir_reg reads[IR_MAX_READS];
	unsigned nreads = ir_reads(insn, reads);
	unsigned flags = ir_op_flags(insn->op);

	if (insn->op >= IR_OP_COUNT) {
		wrong(v, insn, "unknown op");
		return;
	}
	for (unsigned i = 0; i < nreads; i++) {
		if (reads[i] > v->program->nregs)
			wrong(v, insn, "no such register");
		else if (!is_defined(v, reads[i]))
			wrong(v, insn, "register may be undefined");
	}
	check_size(v, insn);
	check_spaces(v, insn);
	if (insn->dst && !(flags & IR_HAS_DST))
		wrong(v, insn, "has no result");
	if (!insn->dst && (flags & IR_IS_PURE))
		wrong(v, insn, "result goes nowhere");
	if (insn->dst > v->program->nregs)
		wrong(v, insn, "no such register");
	if (insn->op == IR_AGGREGATE)
		check_aggregate(v, insn);
	check_array(v, insn);
	if (ir_calls_routine(insn) &&
	    (insn->imm < 0 || insn->imm >= v->program->nroutines ||
	     !v->program->routines[insn->imm].entry))
		wrong(v, insn, "no such routine");
	if (v->failed)
		return;

	/* A failed read leaves before the result is there. */
	if ((flags & IR_MAY_JUMP) || insn->op == IR_GOTO ||
	    insn->op == IR_BRANCH || insn->op == IR_FAULT ||
	    insn->op == IR_FAULT_AGAIN)
		flow_to(v, insn, insn->target);
	if (insn->op == IR_BRANCH)
		flow_to(v, insn, insn->otherwise);
	if (insn->dst)
		v->now[insn->dst / 64] |= UINT64_C(1) << (insn->dst % 64);
}

static void check_block(struct verifier *v, const struct ir_block *block)
{
	const struct ir_insn *insn = block->first;

	/* Unreachable blocks: everything counts as defined. */
	if (v->defined[v->here])
		memcpy(v->now, v->defined[v->here],
		       v->words * sizeof(uint64_t));
	else
		memset(v->now, 0xff, v->words * sizeof(uint64_t));
	if (!insn)
		wrong(v, NULL, "empty block");
	for (; insn && !v->failed; insn = insn->next) {
		bool ends = ir_op_flags(insn->op) & IR_ENDS_BLOCK;

		check_insn(v, insn);
		if (ends != !insn->next)
			wrong(v, insn,
			      ends ? "code after the block's end"
				   : "block has no end");
	}
}

const char *ir_verify(const struct ir_program *program)
{
	struct verifier v = { .program = program, .scratch = arena_new() };
	uint32_t count = 0, highest = 0;

	for (const struct ir_block *block = program->blocks; block;
	     block = block->next, count++)
		if (block->number > highest)
			highest = block->number;
	v.words = program->nregs / 64 + 1;
	v.npositions = highest + 1;
	v.position = arena_array_of(v.scratch, uint32_t, v.npositions);
	v.defined = arena_array_of(v.scratch, uint64_t *, count + 1);
	v.now = arena_array_of(v.scratch, uint64_t, v.words);
	for (const struct ir_block *block = program->blocks; block;
	     block = block->next)
		v.position[block->number] = ++v.here;

	/* Nothing is defined where the program or a routine starts. */
	v.here = 0;
	v.defined[0] = arena_array_of(v.scratch, uint64_t, v.words);
	for (uint32_t i = 0; i < program->nroutines; i++)
		if (program->routines[i].entry)
			v.defined[v.position[program->routines[i].entry->number] -
				  1] = v.defined[0];
	if (!count)
		wrong(&v, NULL, "no blocks");
	for (const struct ir_block *block = program->blocks; block && !v.failed;
	     block = block->next, v.here++)
		check_block(&v, block);

	const char *message = v.failed ? arena_strdup(program->arena, v.message)
				       : NULL;

	arena_free(v.scratch);
	return message;
}
