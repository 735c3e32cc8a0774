/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims: where a clause's records come from.
 *
 * Most clauses have one record and claim it between predicate and first
 * statement, in the principal buffer.  A clause with speculate() cannot: what
 * precedes it (`self->s = speculation()`) must run first, and only speculate()
 * knows the buffer.  Such a clause claims late: at speculate(), or at the first
 * action that needs the record on a path without speculate().
 *
 * A record has a fixed layout, so it cannot hold what a loop records.  A clause
 * with such a loop is split: its record ends before the loop, and from there on
 * whatever records claims another one.  Each turn has records of its own, and
 * what comes after the loop has.  All have the time at which the clause began,
 * by which the consumer knows that they are one line.  The first record is
 * written even if it is empty: it is the line of a loop without turns.
 *
 * 1. Paths that meet agree: where `if` has claimed in one branch, the other
 *    claims, too, before they join.  In a split clause the one that has claimed
 *    ends its record instead, so turns that record nothing cost nothing.
 * 2. A fault before the claim has no record to give back, one after it has:
 *    builder.fault follows.  In a loop the record is given back there, because
 *    no record is open where a loop is left.
 * 3. The size of a record is known at the end of the clause; all its claims
 *    are patched then, and a claim that was not needed is removed.
 */

#include "ir/lower_internal.h"

enum { NO_SPECULATION = -1 };

static void look_at_node(void *data, const struct node *node)
{
	struct claims *claims = data;

	if (call_has_flag(node, FUNCTION_SPECULATE))
		claims->is_late = true;
	if (node->kind == NODE_LOOP && loop_records(node))
		claims->is_split = true;
}

static struct ir_insn *note(struct lower *lower, struct record *record,
			    struct ir_insn *insn)
{
	struct claim_list *entry = arena_new_of(lower->session->arena,
						struct claim_list);

	entry->insn = insn;
	entry->next = record->claims;
	record->claims = entry;
	return insn;
}

static struct record *add_record(struct lower *lower)
{
	struct claims *claims = &lower->claims;
	uint32_t n = 0;

	for (const struct record *each = claims->first; each; each = each->next)
		n++;

	struct record *record = layout_begin(lower, lower->clause, n);

	if (claims->last)
		claims->last->next = record;
	else
		claims->first = record;
	claims->last = record;
	return record;
}

/* The record that a claim here is for. */
static struct record *next_record(struct lower *lower)
{
	struct claims *claims = &lower->claims;

	if (!claims->is_split || !claims->first->is_claimed)
		return claims->first;
	claims->last->layout->is_cut = true;

	struct record *record = add_record(lower);

	/* a turn is followed by others */
	record->layout->is_cut |= lower->b.loop_depth > 0;
	record->fault = ir_block_new(&lower->b, "fault in body");
	return record;
}

static struct ir_insn begin_record(const struct lower *lower,
				   const struct record *record,
				   ir_reg speculation)
{
	return (struct ir_insn){
		.op = IR_RECORD_BEGIN,
		.a = lower->probe_id,
		.b = lower->timestamp,
		.imm2 = record->id,
		.target = lower->claims.next,
		.speculation = speculation,
	};
}

static void emit_begin(struct lower *lower, struct record *record,
		       ir_reg speculation)
{
	struct ir_insn *insn = note(lower, record,
				    ir_emit(&lower->b, IR_RECORD_BEGIN));
	struct place place = insn->place;

	*insn = begin_record(lower, record, speculation);
	insn->place = place;
}

/* Into the buffer that this firing has chosen. */
static void emit_either(struct lower *lower, struct record *record)
{
	struct ir_builder *b = &lower->b;
	ir_reg speculation = lower->claims.speculation;
	struct ir_block *yes = ir_block_new(b, "principal");
	struct ir_block *no = ir_block_new(b, "speculation");
	struct ir_block *join = ir_block_new(b, "join");

	ir_branch(b, ir_binary_imm(b, IR_EQ, speculation, NO_SPECULATION), yes,
		  no);
	ir_enter(b, yes);
	emit_begin(lower, record, 0);
	ir_goto(b, join);
	ir_enter(b, no);
	emit_begin(lower, record, speculation);
	ir_enter(b, join);
}

static void claim(struct lower *lower, ir_reg speculation)
{
	struct claims *claims = &lower->claims;
	struct record *record = next_record(lower);

	if (speculation || claims->into == INTO_PRINCIPAL)
		emit_begin(lower, record, speculation);
	else if (claims->into == INTO_SPECULATION)
		emit_begin(lower, record, claims->speculation);
	else
		emit_either(lower, record);
	record->is_claimed = true;
	claims->open = record;
	lower->b.fault = record->fault;
	/* where a split clause claims, everything that follows is recorded */
	if (claims->is_split)
		lower->guard = 0;
}

void claims_begin(struct lower *lower, struct ir_block *next,
		  struct ir_block *fault, struct ir_block *body_fault)
{
	const struct clause *clause = lower->clause;
	struct claims *claims = &lower->claims;

	*claims = (struct claims){ .next = next, .fault = fault };
	tree_visit(clause->statements, look_at_node, claims);

	struct record *record = add_record(lower);

	record->fault = body_fault;
	record->is_wanted = record->layout->is_empty_clause ||
			    (clause->records && !clause->whole);
	if (claims->is_split && !lower->timestamp)
		lower->timestamp = ir_query(&lower->b, IR_QUERY_TIMESTAMP);
	if (claims->is_split && claims->is_late)
		claims->speculation = ir_const(&lower->b, NO_SPECULATION);
	if (!claims->is_late)
		claim(lower, 0);
}

void claims_want_record(struct lower *lower)
{
	if (!lower->claims.open)
		claim(lower, 0);
}

struct claims_state claims_state(const struct lower *lower)
{
	return (struct claims_state){ .open = lower->claims.open,
				      .into = (int)lower->claims.into };
}

void claims_set_state(struct lower *lower, struct claims_state state)
{
	struct claims *claims = &lower->claims;

	claims->open = state.open;
	claims->into = state.into;
	lower->b.fault = state.open ? state.open->fault : claims->fault;
}

/* Put it before the goto that the block ends with. */
static void insert(struct lower *lower, struct record *record,
		   struct ir_block *block, const struct ir_insn *what)
{
	struct ir_insn **link = &block->first;

	while ((*link)->next)
		link = &(*link)->next;

	struct ir_insn *end = *link;
	struct ir_insn *insn = arena_new_of(lower->session->arena,
					    struct ir_insn);

	*insn = *what;
	insn->place = end->place;
	insn->next = end;
	*link = note(lower, record, insn);
}

void claims_join(struct lower *lower, struct ir_block *other,
		 struct claims_state state)
{
	struct claims *claims = &lower->claims;

	if (state.into != (int)claims->into)
		claims->into = INTO_EITHER;
	if (state.open == claims->open)
		return;
	if (claims->is_split) {
		static const struct ir_insn end = { .op = IR_RECORD_END };

		if (state.open)
			insert(lower, state.open, other, &end);
		claims_close(lower);
	} else if (state.open) {
		claim(lower, 0);
	} else {
		struct ir_insn begin = begin_record(lower, claims->open, 0);

		insert(lower, claims->open, other, &begin);
	}
}

void claims_leave_loop(struct lower *lower, struct claims_state before)
{
	/* a turn that has called speculate() was the last one */
	if (lower->claims.has_speculated && before.into == INTO_PRINCIPAL)
		before.into = INTO_EITHER;
	claims_set_state(lower, before);
}

void claims_close(struct lower *lower)
{
	struct claims *claims = &lower->claims;

	if (!claims->open)
		return;
	note(lower, claims->open, ir_emit(&lower->b, IR_RECORD_END));
	claims->open = NULL;
	lower->b.fault = claims->fault;
}

void claims_drop(struct lower *lower, struct record *record)
{
	note(lower, record, ir_emit(&lower->b, IR_RECORD_DROP));
}

void claims_drop_in_loop(struct lower *lower, const struct record *before,
			 const struct ir_block *first)
{
	struct ir_builder *b = &lower->b;

	for (struct record *record = before ? before->next : NULL; record;
	     record = record->next) {
		if (!record->fault || !is_targeted(first, record->fault))
			continue;
		ir_enter(b, record->fault);
		claims_drop(lower, record);

		ir_reg what = ir_query(b, IR_QUERY_FAULT_NOTE);
		ir_reg value = ir_query(b, IR_QUERY_FAULT_VALUE);
		struct ir_insn *again = ir_emit(b, IR_FAULT_AGAIN);

		again->a = what;
		again->b = value;
		again->target = lower->claims.fault;
		record->fault = NULL;
	}
}

static void settle(struct lower *lower, struct record *record)
{
	struct ir_program *program = lower->b.program;
	bool is_wanted = record->is_wanted || record->layout->actions;
	uint32_t size = round_up(record->at, 8);

	record->layout->size = size;
	if (is_wanted && size > program->max_record)
		program->max_record = size;
	for (struct claim_list *entry = record->claims; entry;
	     entry = entry->next) {
		struct ir_insn *insn = entry->insn;

		if (!is_wanted) {
			insn->op = IR_NOP;
			insn->target = NULL;
			insn->a = insn->b = insn->speculation = 0;
		} else if (insn->op == IR_RECORD_BEGIN) {
			insn->imm = size;
		}
	}
}

void claims_settle(struct lower *lower)
{
	for (struct record *record = lower->claims.first; record;
	     record = record->next)
		settle(lower, record);
}

void lower_speculate(struct lower *lower, ir_reg id)
{
	struct claims *claims = &lower->claims;

	if (claims->open)
		return;
	claim(lower, id);
	/* the rest is skipped if the speculation is not active */
	claims->open->is_wanted = true;
	if (!claims->is_split)
		return;
	ir_move(&lower->b, claims->speculation, id);
	claims->into = INTO_SPECULATION;
	claims->has_speculated = true;
}
