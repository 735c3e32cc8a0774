/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firings at the ends of functions: which end it was, and whether it really is
 * one.
 *
 * A return probe has a site at each instruction that may end its function
 * (pid_return.c).  Here a program distinguishes sites, not probes.  A table
 * gives the probe of each site and when the site is an end:
 *
 *	always		`ret`, a jump to another function
 *	conditional	if the processor's flags are so that it jumps
 *	indirect	if what the register or memory holds leads out of the
 *			function and its .cold piece
 *
 * A firing that is not an end leaves the program before any D code runs.
 */
#include "provider/pid.h"
#include "provider/uprobe.h"

enum {
	/* in a word of the table of sites */
	KIND_SHIFT = 32, CONDITION_SHIFT = 40,
	/* in a word of the table of operands */
	INDEX_SHIFT = 8, COUNT_SHIFT = 16, MEMORY_SHIFT = 24,
	DISPLACEMENT_SHIFT = 32,
};

/* What the table of indirect jumps has of a site. */
enum { OPERAND, START, SIZE, PIECE_START, PIECE_SIZE, NWORDS };

static const struct pid_ends *ends_of(const struct lower *lower)
{
	const struct pid_group *group = lower->group->provider_data;

	return &group->ends;
}

/* Element `index` of a table of words. */
static ir_reg load_word(struct lower *lower, struct ir_mem table,
			uint32_t count, ir_reg index)
{
	table.base = ir_binary_imm(&lower->b, IR_SHL, index, 3);
	table.bound = (count - 1) * 8 + 1;
	return ir_load(&lower->b, table, 8, false);
}

static ir_reg bits(struct ir_builder *b, ir_reg word, unsigned shift,
		   uint64_t mask)
{
	return ir_binary_imm(b, IR_AND, ir_binary_imm(b, IR_LSR, word, shift),
			     (int64_t)mask);
}

/* ------------------------------------------------------------- conditional */

static ir_reg condition_step(struct ir_builder *b, const struct arch_step *step,
			     ir_reg flags, const ir_reg *steps)
{
	switch (step->kind) {
	case STEP_OR:
		return ir_binary(b, IR_OR, steps[step->a], steps[step->b]);
	case STEP_XOR:
		return ir_binary(b, IR_XOR, steps[step->a], steps[step->b]);
	default:
		return bits(b, flags, step->a, 1);
	}
}

/*
 * Conditions come in pairs of opposites: a bit for each pair, in the order of
 * their numbers, and one of the two is taken.
 */
static ir_reg condition_holds(struct lower *lower, ir_reg condition)
{
	struct ir_builder *b = &lower->b;
	ir_reg flags = context_word(lower, ARCH_FLAGS);
	ir_reg steps[ARCH_CONDITION_STEPS];

	for (unsigned i = 0; i < ARCH_CONDITION_STEPS; i++)
		steps[i] = condition_step(b, &arch_condition_steps[i], flags,
					  steps);
	ir_reg all = steps[arch_conditions[0]];

	for (unsigned i = 1; i < ARCH_CONDITION_PAIRS; i++)
		all = ir_binary(b, IR_OR, all,
				ir_binary_imm(b, IR_SHL,
					      steps[arch_conditions[i]], i));
	ir_reg holds = ir_binary(b, IR_LSR, all,
				 ir_binary_imm(b, IR_LSR, condition, 1));

	return ir_binary_imm(b, IR_AND, ir_binary(b, IR_XOR, holds, condition),
			     1);
}

/* ---------------------------------------------------------------- indirect */

/* The register of a number; 0 for the number of none. */
static ir_reg register_of(struct lower *lower, ir_reg number)
{
	struct ir_builder *b = &lower->b;
	ir_reg value = ir_reg_new(b->program);
	struct ir_block *join = ir_block_new(b, "register");

	ir_move(b, value, ir_const(b, 0));
	for (uint32_t i = 0; i < ARCH_NREGISTERS; i++) {
		struct ir_block *is = ir_block_new(b, "this register");
		struct ir_block *next = ir_block_new(b, "next register");

		ir_branch(b, ir_binary_imm(b, IR_EQ, number, i), is, next);
		ir_enter(b, is);
		ir_move(b, value, context_word(lower, arch_registers[i]));
		ir_goto(b, join);
		ir_enter(b, next);
	}
	ir_enter(b, join);
	return value;
}

static ir_reg target_of(struct lower *lower, ir_reg operand)
{
	struct ir_builder *b = &lower->b;
	ir_reg target = ir_reg_new(b->program);
	struct ir_block *memory = ir_block_new(b, "from memory");
	struct ir_block *join = ir_block_new(b, "target");
	ir_reg index = register_of(lower, bits(b, operand, INDEX_SHIFT, 0xff));

	index = ir_binary(b, IR_SHL, index,
			  bits(b, operand, COUNT_SHIFT, 0xff));
	ir_reg at = ir_binary(b, IR_ADD, index,
			      register_of(lower, bits(b, operand, 0, 0xff)));

	at = ir_binary(b, IR_ADD, at,
		       ir_binary_imm(b, IR_ASR, operand, DISPLACEMENT_SHIFT));
	ir_move(b, target, at);
	ir_branch(b, bits(b, operand, MEMORY_SHIFT, 1), memory, join);
	ir_enter(b, memory);
	ir_move(b, target, ir_read_scalar(b, IR_USER, at, 8, false));
	ir_enter(b, join);
	return target;
}

static ir_reg leads_out(struct lower *lower, ir_reg site)
{
	struct ir_builder *b = &lower->b;
	const struct pid_ends *ends = ends_of(lower);
	uint32_t nwords = ends->count * NWORDS;
	uint64_t *words = arena_array_of(lower->session->arena, uint64_t,
					 nwords);

	for (uint32_t i = 0; i < ends->count; i++) {
		const struct pid_place *place = ends->places[i];
		const struct arch_target *from = &place->end.operand;
		uint64_t bias = place->module->bias, *word = words + i * NWORDS;

		word[OPERAND] = (uint64_t)from->base |
				(uint64_t)from->index << INDEX_SHIFT |
				(uint64_t)from->shift << COUNT_SHIFT |
				(uint64_t)from->is_memory << MEMORY_SHIFT |
				(uint64_t)(uint32_t)from->displacement
					<< DISPLACEMENT_SHIFT;
		word[START] = bias + place->range[0].start;
		word[SIZE] = place->range[0].size;
		word[PIECE_START] = bias + place->range[1].start;
		word[PIECE_SIZE] = place->range[1].size;
	}
	struct ir_mem table = ir_rodata(b->program, words, nwords * 8, 8);
	ir_reg first = ir_binary_imm(b, IR_MUL, site, NWORDS), word[NWORDS];

	for (uint32_t i = 0; i < NWORDS; i++)
		word[i] = load_word(lower, table, nwords,
				    ir_binary_imm(b, IR_ADD, first, i));
	ir_reg target = target_of(lower, word[OPERAND]);
	ir_reg is_out = ir_binary(b, IR_UGE,
				  ir_binary(b, IR_SUB, target, word[START]),
				  word[SIZE]);
	ir_reg is_apart = ir_binary(b, IR_UGE,
				    ir_binary(b, IR_SUB, target,
					      word[PIECE_START]),
				    word[PIECE_SIZE]);

	return ir_binary(b, IR_AND, is_out, is_apart);
}

/* ------------------------------------------------------------------ select */

static bool has_kind(const struct pid_ends *ends, enum end_kind kind)
{
	for (uint32_t i = 0; i < ends->count; i++)
		if (ends->places[i]->end.kind == kind)
			return true;
	return false;
}

static void return_unless(struct ir_builder *b, ir_reg holds,
			  struct ir_block *fires)
{
	struct ir_block *stays = ir_block_new(b, "goes on");

	ir_branch(b, holds, fires, stays);
	ir_enter(b, stays);
	ir_return(b);
}

/* Continues if the site is of another kind, or is an end. */
static void check_kind(struct lower *lower, enum end_kind kind, ir_reg code,
		       ir_reg site)
{
	struct ir_builder *b = &lower->b;

	if (!has_kind(ends_of(lower), kind))
		return;
	struct ir_block *asks = ir_block_new(b, "is it an end");
	struct ir_block *fires = ir_block_new(b, "fires");

	ir_branch(b,
		  ir_binary_imm(b, IR_EQ, bits(b, code, KIND_SHIFT, 0xff),
				kind),
		  asks, fires);
	ir_enter(b, asks);
	return_unless(b,
		      kind == END_CONDITIONAL
			      ? condition_holds(lower,
						bits(b, code, CONDITION_SHIFT,
						     15))
			      : leads_out(lower, site),
		      fires);
	ir_enter(b, fires);
}

static ir_reg select_end(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	const struct pid_ends *ends = ends_of(lower);
	uint64_t *codes = arena_array_of(lower->session->arena, uint64_t,
					 ends->count);
	ir_reg site = ends->tell ? ends->tell(lower) : ir_const(b, 0);

	for (uint32_t i = 0; i < ends->count; i++) {
		const struct pid_end *end = &ends->places[i]->end;

		codes[i] = ends->probes[i] | (uint64_t)end->kind << KIND_SHIFT |
			   (uint64_t)end->condition << CONDITION_SHIFT;
	}
	ir_reg code = load_word(lower,
				ir_rodata(b->program, codes, ends->count * 8,
					  8),
				ends->count, site);

	/* code that continues with a firing knows that it is one */
	if (!lower->group->is_continued) {
		check_kind(lower, END_CONDITIONAL, code, site);
		check_kind(lower, END_INDIRECT, code, site);
	}
	return bits(b, code, 0, UINT32_MAX);
}

void pid_ends_context(struct probe_group *group, struct pid_group *own)
{
	own->ends.tell = group->lower.select;
	group->lower.select = own->ends.count ? select_end : NULL;
}
