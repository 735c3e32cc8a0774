/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The turns that loops of a firing may take, and their time (outline.c), where
 * that is more than a matter of one program.
 *
 * 1. Programs that continue each other are one firing: what their loops have
 *    taken goes from one to the next with the rest (lower_split.c).
 * 2. ERROR's clauses have turns and time of their own, so that they can do
 *    their work after a fault that says that there are none left.  All of their
 *    runs in a firing share these.  While they run, their words are in the place
 *    of the others, because functions that both call know only one place.  The
 *    moment at which they began is moved back, so that their loops find the
 *    usual time to be over when theirs is.
 */
#include "ir/abi.h"
#include "ir/lower_internal.h"

enum { EARLIER_NS = LOOPS_MOST_NS - LOOPS_OF_ERROR_MOST_NS };

static void look_for_loop(void *data, const struct node *node)
{
	if (node->kind == NODE_LOOP)
		*(bool *)data = true;
}

static bool any_loops(const struct clause *const *clauses, uint32_t count)
{
	bool found = false;

	for (uint32_t i = 0; i < count; i++) {
		tree_visit(clauses[i]->predicate, look_for_loop, &found);
		tree_visit(clauses[i]->statements, look_for_loop, &found);
	}
	return found;
}

static bool errors_loop(const struct lower_group *group)
{
	return any_loops(group->error_clauses, group->nerror_clauses);
}

bool turns_are_carried(const struct lower_group *group)
{
	return any_loops(group->clauses, group->nclauses) || errors_loop(group);
}

static const struct carried *carried_turns(const struct lower *lower)
{
	return lower->group->carry ? lower->group->carry->turns : NULL;
}

static struct ir_mem word(const struct lower *lower, uint32_t n)
{
	return ir_mem_at(lower->b.program->turns, n);
}

static ir_reg load(struct lower *lower, uint32_t n)
{
	return ir_load(&lower->b, word(lower, n), 8, false);
}

static void store(struct lower *lower, uint32_t n, ir_reg value)
{
	ir_store(&lower->b, word(lower, n), value, 8);
}

void turns_start(struct lower *lower)
{
	const struct lower_group *group = lower->group;
	const struct carried *carried = carried_turns(lower);
	bool is_part = carried && (group->is_continued || group->next_part);

	if (!is_part && !errors_loop(group))
		return;
	ir_turns_make(&lower->b);
	if (is_part && group->is_continued)
		ir_copy(&lower->b, lower->b.program->turns,
			carried_place(lower, carried), TURNS_SIZE);
	else
		for (uint32_t at = 0; at < TURNS_SIZE; at += 8)
			store(lower, at, ir_const(&lower->b, 0));
}

void turns_leave(struct lower *lower)
{
	const struct carried *carried = carried_turns(lower);

	if (carried && lower->group->next_part)
		ir_copy(&lower->b, carried_place(lower, carried),
			lower->b.program->turns, TURNS_SIZE);
}

struct turns_aside turns_begin_error(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	struct turns_aside aside = { 0 };

	if (!errors_loop(lower->group))
		return aside;
	aside.done = load(lower, TURNS_DONE);
	store(lower, TURNS_DONE, load(lower, TURNS_OF_ERROR));
	if (lower->group->phase != PHASE_ACTIVE)
		return aside;
	aside.began = load(lower, TURNS_BEGAN);
	aside.unseen = load(lower, TURNS_UNSEEN);

	ir_reg used = load(lower, TURNS_TIME_OF_ERROR);
	ir_reg began = ir_binary(b, IR_SUB, ir_query(b, IR_QUERY_TIMESTAMP),
				 used);

	store(lower, TURNS_BEGAN, ir_binary_imm(b, IR_SUB, began, EARLIER_NS));
	/* the first loop looks */
	store(lower, TURNS_UNSEEN, ir_const(b, LOOPS_LOOK_NS));
	return aside;
}

void turns_end_error(struct lower *lower, const struct turns_aside *aside)
{
	struct ir_builder *b = &lower->b;

	if (!aside->done)
		return;
	store(lower, TURNS_OF_ERROR, load(lower, TURNS_DONE));
	store(lower, TURNS_DONE, aside->done);
	if (!aside->began)
		return;

	ir_reg used = ir_binary(b, IR_SUB, ir_query(b, IR_QUERY_TIMESTAMP),
				load(lower, TURNS_BEGAN));

	store(lower, TURNS_TIME_OF_ERROR,
	      ir_binary_imm(b, IR_SUB, used, EARLIER_NS));
	store(lower, TURNS_BEGAN, aside->began);
	store(lower, TURNS_UNSEEN, aside->unseen);
}
