/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short loops are written out.
 *
 * A routine (outline.c) costs a claim of memory, a call for each turn, and what
 * goes from one turn to the next is in memory.  That is more than a few turns of
 * arithmetic cost, so a loop that counts to a small constant becomes a copy of
 * its blocks for each turn:
 *
 *	for (i = 0; i < 2; i++) body	->	body with i = 0
 *						body with i = 1
 *						i = 2
 *
 * 1. The counter is assigned once in the loop, in the block that goes back, and
 *    tested at the end of the header.  Both are computed here, so the number of
 *    turns is known; break, return and faults may still leave earlier.
 * 2. Turns count against the limit of a firing.  Copies count nothing, so either
 *    all loops of a program are written out, and together stay below the limit,
 *    or none is.
 * 3. The copies of all loops are a few dozen instructions.
 *
 * A register that only one turn uses gets another name in each copy: passes
 * know most about registers that are written once.
 */

#include <stddef.h>
#include <string.h>

#include "ir/internal.h"

enum {
	MOST_TURNS = 16,
	MOST_GROWTH = 64,   /* instructions, of all copies of a program */
	MOST_BRANCHES = 16, /* the verifier may have to follow both ways */
	MOST_DEPTH = 8,	    /* of an expression for the counter */
	NEVER = UINT32_MAX,
};

struct unroll {
	struct ir_program *program;
	struct arena *scratch;
	uint32_t nregs;
	struct ir_definitions defs;
	uint32_t growth, branches, turns; /* of all loops */
	/* a loop */
	struct ir_block *before, *header;
	uint32_t first, last;  /* its blocks, by number */
	struct ir_block *back; /* goes back to the header */
	struct ir_insn *step;  /* assigns the counter */
	ir_reg counter;
	int64_t start;
	uint32_t count; /* turns */
	bool *is_inner; /* by register: defined and used in the loop only */
	/* a turn */
	struct ir_block *open;	/* goes to the next one */
	struct ir_block **copy; /* by block - first */
	ir_reg *name;		/* by register */
};

static bool is_inside(const struct unroll *u, const struct ir_block *block)
{
	return block && block->number >= u->first && block->number <= u->last;
}

/* ---------------------------------------------------------------- counter */

/* What the register holds while the counter is `value`. */
static bool evaluate(const struct unroll *u, ir_reg reg, const int64_t *value,
		     unsigned depth, int64_t *result)
{
	const struct ir_insn *def = reg ? u->defs.last[reg] : NULL;
	int64_t x = 0, y = 0;

	if (value && reg == u->counter) {
		*result = *value;
		return true;
	}
	if (!def || u->defs.count[reg] != 1 || depth > MOST_DEPTH ||
	    !ir_is_arithmetic(def->op) ||
	    (def->op >= IR_UDIV && def->op <= IR_SMOD))
		return false;
	if (def->a && !evaluate(u, def->a, value, depth + 1, &x))
		return false;
	if (!def->b)
		y = def->imm;
	else if (!evaluate(u, def->b, value, depth + 1, &y))
		return false;
	*result = (int64_t)ir_evaluate(def, (uint64_t)x, (uint64_t)y);
	return true;
}

static bool assigned(const struct unroll *u, const struct ir_insn *insn,
		     const int64_t *value, int64_t *result)
{
	if (insn->op == IR_CONST)
		*result = insn->imm;
	return insn->op == IR_CONST ||
	       (insn->op == IR_MOVE && evaluate(u, insn->a, value, 0, result));
}

/* A register that the loop assigns and whose value the test depends on. */
static ir_reg tested(const struct unroll *u, ir_reg reg, unsigned depth)
{
	const struct ir_insn *def = reg ? u->defs.last[reg] : NULL;

	if (!def || depth > MOST_DEPTH)
		return 0;
	if (u->defs.count[reg] > 1)
		return reg;
	if (!ir_is_arithmetic(def->op))
		return 0;

	ir_reg found = tested(u, def->a, depth + 1);

	return found ? found : tested(u, def->b, depth + 1);
}

/* Its only assignment in the loop, and what it is before. */
static bool find_assignments(struct unroll *u)
{
	const struct ir_insn *init = NULL;

	u->step = NULL;
	for (struct ir_block *block = u->header; block != u->header->exit;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (insn->dst != u->counter)
				continue;
			if (u->step || block != u->back)
				return false;
			u->step = insn;
		}
	for (const struct ir_insn *insn = u->before->first; insn;
	     insn = insn->next)
		if (insn->dst == u->counter)
			init = insn;
	return u->step && init && assigned(u, init, NULL, &u->start);
}

static struct ir_block *way_out(const struct unroll *u)
{
	const struct ir_insn *test = u->header->last;

	return is_inside(u, test->target) ? test->otherwise : test->target;
}

/* Counts turns until the test leaves the loop. */
static bool count_turns(struct unroll *u)
{
	const struct ir_insn *test = u->header->last;
	int64_t value = u->start, result;

	for (u->count = 0; u->count <= MOST_TURNS; u->count++) {
		if (!evaluate(u, test->a, &value, 0, &result))
			return false;
		if (!is_inside(u, result ? test->target : test->otherwise))
			return true;
		if (!assigned(u, u->step, &value, &value))
			return false;
	}
	return false;
}

/* ------------------------------------------------------------------- cost */

static uint32_t access_cost(const struct ir_mem *mem)
{
	switch (mem->space) {
	case IR_FRAME:
	case IR_CONTEXT:
	case IR_TYPED:
		return 1;
	case IR_GLOBAL:
	case IR_STATE:
	case IR_RODATA:
		return mem->base ? 6 : 3;
	default:
		return NEVER;
	}
}

/* Nothing is left of what depends on the counter alone. */
static bool is_known(const struct unroll *u, ir_reg reg)
{
	int64_t ignored;

	return evaluate(u, reg, &u->start, 0, &ignored);
}

static uint32_t cost_of(const struct unroll *u, const struct ir_insn *insn)
{
	switch (insn->op) {
	case IR_NOP:
	case IR_GOTO:
	case IR_CONST:
	case IR_MOVE: /* most of them disappear */
		return 0;
	case IR_QUERY:
		return 1;
	case IR_BRANCH:
	case IR_FAULT_IF:
		return is_known(u, insn->a) ? 0 : 3;
	case IR_LOAD:
	case IR_STORE:
		return access_cost(&insn->mem);
	default:
		if (!ir_is_arithmetic(insn->op))
			return NEVER;
		return is_known(u, insn->dst) ? 0 : 1;
	}
}

static bool is_cheap(struct unroll *u)
{
	uint32_t cost = 0, branches = 0;

	for (const struct ir_block *block = u->header; block != u->header->exit;
	     block = block->next)
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			uint32_t more = cost_of(u, insn);

			if (more == NEVER)
				return false;
			cost += more;
			branches += more && insn->target;
		}
	u->growth += cost * u->count;
	u->branches += branches * u->count;
	u->turns += u->count + 1;
	return u->growth <= MOST_GROWTH && u->branches <= MOST_BRANCHES;
}

/* ------------------------------------------------------------------- loop */

/* The loop is entered from the block before it, and has one way back. */
static bool has_plain_edges(struct unroll *u)
{
	unsigned entries = 0, backs = 0;

	u->back = NULL;
	for (struct ir_block *block = u->program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (insn->target != u->header &&
			    insn->otherwise != u->header)
				continue;
			if (insn->op != IR_GOTO)
				return false;
			if (is_inside(u, block)) {
				u->back = block;
				backs++;
			} else if (block == u->before) {
				entries++;
			} else {
				return false;
			}
		}
	return entries == 1 && backs == 1;
}

static bool find_loop(struct unroll *u, struct ir_block *before)
{
	const struct ir_insn *test = before->next->last;

	u->before = before;
	u->header = before->next;
	u->first = u->last = u->header->number;
	for (const struct ir_block *block = u->header->next;
	     block && block != u->header->exit; block = block->next) {
		if (block->is_header)
			return false;
		u->last = block->number;
	}
	if (!test || test->op != IR_BRANCH ||
	    is_inside(u, test->target) == is_inside(u, test->otherwise) ||
	    !has_plain_edges(u))
		return false;
	u->counter = tested(u, test->a, 0);
	return u->counter && find_assignments(u) && count_turns(u);
}

/* Registers that one turn defines and uses, and nothing else does. */
static void find_inner(struct unroll *u)
{
	ir_reg reads[IR_MAX_READS];

	u->is_inner = arena_array_of(u->scratch, bool, u->nregs + 1);
	for (const struct ir_block *block = u->header; block != u->header->exit;
	     block = block->next)
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next)
			if (insn->dst && u->defs.count[insn->dst] == 1)
				u->is_inner[insn->dst] = true;
	for (const struct ir_block *block = u->program->blocks; block;
	     block = block->next) {
		if (is_inside(u, block))
			continue;
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next)
			for (unsigned n = ir_reads(insn, reads); n-- > 0;)
				u->is_inner[reads[n]] = false;
	}
}

/* ------------------------------------------------------------------- copy */

static void rename_reads(const struct unroll *u, struct ir_insn *insn)
{
	insn->a = u->name[insn->a];
	insn->b = u->name[insn->b];
	insn->mem.base = u->name[insn->mem.base];
	insn->source.base = u->name[insn->source.base];
}

static void rename_target(const struct unroll *u, struct ir_block **target)
{
	if (is_inside(u, *target))
		*target = u->copy[(*target)->number - u->first];
}

static void append(struct ir_block *block, struct ir_insn *insn)
{
	insn->next = NULL;
	if (block->last)
		block->last->next = insn;
	else
		block->first = insn;
	block->last = insn;
}

static void append_goto(struct unroll *u, struct ir_block *block,
			struct ir_block *target)
{
	struct ir_insn *insn = arena_new_of(u->program->arena, struct ir_insn);

	*insn = (struct ir_insn){ .op = IR_GOTO,
				  .place = u->header->limited->place,
				  .target = target };
	append(block, insn);
}

/* The number that the counter has in this turn, at the start of it. */
static void set_counter(struct unroll *u, struct ir_block *block, int64_t value)
{
	struct ir_insn *insn = arena_new_of(u->program->arena, struct ir_insn);

	*insn = (struct ir_insn){ .op = IR_CONST,
				  .imm = value,
				  .dst = ir_reg_new(u->program),
				  .place = u->header->limited->place };
	append(block, insn);
	u->name[u->counter] = insn->dst;
}

/* Everything but what goes back and, in the header, the test. */
static void copy_block(struct unroll *u, const struct ir_block *block,
		       struct ir_block *copy)
{
	for (const struct ir_insn *insn = block->first; insn;
	     insn = insn->next) {
		struct ir_insn *now;

		if (insn == u->header->last || insn->target == u->header)
			break;
		now = arena_copy(u->program->arena, insn, sizeof(*insn));
		rename_reads(u, now);
		rename_target(u, &now->target);
		rename_target(u, &now->otherwise);
		if (insn->dst && u->is_inner[insn->dst]) {
			now->dst = ir_reg_new(u->program);
			u->name[insn->dst] = now->dst;
		}
		if (insn == u->step) /* others may read it */
			u->name[u->counter] = u->counter;
		append(copy, now);
	}
}

static struct ir_block *new_block(struct unroll *u, struct ir_block *last,
				  const char *label)
{
	struct ir_block *block = arena_new_of(u->program->arena,
					      struct ir_block);

	block->label = label;
	block->next = last->next;
	last->next = block;
	if (u->program->last_block == last)
		u->program->last_block = block;
	return block;
}

static struct ir_block *copy_of(const struct unroll *u,
				const struct ir_block *block)
{
	return u->copy[block->number - u->first];
}

/* Empty blocks for a turn after `last`; the last of them. */
static struct ir_block *new_blocks(struct unroll *u, struct ir_block *last,
				   const struct ir_block *end)
{
	for (struct ir_block *block = u->header; block != end;
	     block = block->next) {
		last = new_block(u, last, block->label);
		u->copy[block->number - u->first] = last;
	}
	return last;
}

/* The turn in which the counter is `value`, up to but without `end`. */
static struct ir_block *copy_turn(struct unroll *u, struct ir_block *last,
				  int64_t value, const struct ir_block *end)
{
	last = new_blocks(u, last, end);
	append_goto(u, u->open, u->copy[0]);
	for (ir_reg reg = 0; reg <= u->nregs; reg++)
		u->name[reg] = reg;
	set_counter(u, u->copy[0], value);
	for (struct ir_block *block = u->header; block != end;
	     block = block->next)
		copy_block(u, block, copy_of(u, block));
	return last;
}

/* Takes the loop out of the program, and the jump to it. */
static void take_out(struct unroll *u)
{
	struct ir_block *before = u->before;
	struct ir_insn *insn = before->first;

	ir_take_loop(u->program, before);
	before->first = before->last = NULL;
	while (insn->target != u->header) {
		struct ir_insn *next = insn->next;

		append(before, insn);
		insn = next;
	}
}

static void write_out(struct unroll *u)
{
	const struct ir_insn *test = u->header->last;
	const struct ir_block *in = is_inside(u, test->target)
					    ? test->target
					    : test->otherwise;
	struct ir_block *last = u->before, *exit = u->header->exit;
	int64_t value = u->start;

	u->copy = arena_array_of(u->scratch, struct ir_block *,
				 u->last - u->first + 1);
	u->name = arena_array_of(u->scratch, ir_reg, u->nregs + 1);
	find_inner(u);
	take_out(u);
	u->open = u->before;
	for (uint32_t turn = 0; turn < u->count; turn++) {
		last = copy_turn(u, last, value, exit);
		append_goto(u, u->copy[0], copy_of(u, in));
		u->open = copy_of(u, u->back);
		assigned(u, u->step, &value, &value);
	}
	/* the last time the header leaves the loop */
	copy_turn(u, last, value, u->header->next);
	append_goto(u, u->copy[0], way_out(u));
}

/* ------------------------------------------------------------------- all */

static void look_again(struct unroll *u)
{
	ir_renumber(u->program);
	u->nregs = u->program->nregs;
	u->defs = ir_find_definitions(u->program, u->scratch);
}

static bool are_all_short(struct unroll *u, uint32_t looplimit)
{
	struct ir_block *before = ir_before_loop(u->program->blocks);

	for (; before; before = ir_before_loop(u->header->exit))
		if (!find_loop(u, before) || !is_cheap(u))
			return false;
	return u->turns <= looplimit;
}

void ir_unroll(struct ir_program *program, uint32_t looplimit)
{
	struct unroll u = { .program = program, .scratch = arena_new() };
	struct ir_block *before = ir_before_loop(program->blocks);

	look_again(&u);
	/* loops of functions are turns of their own each time they are called */
	if (before && !ir_functions_loop(program) &&
	    are_all_short(&u, looplimit))
		for (; before; before = ir_before_loop(program->blocks)) {
			look_again(&u);
			if (!find_loop(&u, before))
				break;
			write_out(&u);
		}
	ir_renumber(program);
	arena_free(u.scratch);
}
