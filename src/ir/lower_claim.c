/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims: where a clause's record comes from.
 *
 * Most clauses claim once, between predicate and first statement, in the
 * principal buffer.  A clause with speculate() cannot: what stands before it
 * (`self->s = speculation()`) must run first, and only speculate() knows the
 * buffer.  Such a clause claims late: at speculate(), or at the first action
 * that wants the record on a way that has not met speculate().
 *
 * 1. Ways that meet agree: where `if` has claimed in one branch, the other
 *    claims, too, before they join.
 * 2. A fault before the claim has no record to give back, one after it has:
 *    builder.fault follows.
 * 3. The size of the record is known at the end of the clause; all its claims
 *    are patched then, and a claim nobody needed becomes nothing.
 */

#include "ir/lower_internal.h"

static void visit_call(void *data, const struct node *node)
{
	bool *found = data;

	if (node->kind == NODE_CALL && node->call.function &&
	    node->call.function->flags & FUNCTION_SPECULATE)
		*found = true;
}

static bool has_speculate(const struct clause *clause)
{
	bool found = false;

	tree_visit(clause->statements, visit_call, &found);
	return found;
}

static struct ir_insn *note(struct lower *lower, struct ir_insn *insn)
{
	struct claim_list *entry = arena_new_of(lower->session->arena,
						struct claim_list);

	entry->insn = insn;
	entry->next = lower->claims.all;
	lower->claims.all = entry;
	return insn;
}

static void claim(struct lower *lower, ir_reg speculation)
{
	struct ir_insn *insn = note(lower, ir_emit(&lower->b,
						   IR_RECORD_BEGIN));

	insn->a = lower->probe_id;
	insn->b = lower->timestamp;
	insn->imm2 = lower->clause->id;
	insn->target = lower->claims.next;
	insn->values[0] = speculation;
	lower->claims.is_claimed = true;
	lower->b.fault = lower->claims.body_fault;
}

void claims_begin(struct lower *lower, struct ir_block *next,
		  struct ir_block *body_fault)
{
	lower->claims = (struct claims){
		.is_late = has_speculate(lower->clause),
		.next = next,
		.body_fault = body_fault,
	};
	if (!lower->claims.is_late)
		claim(lower, 0);
}

void claims_want_record(struct lower *lower)
{
	if (!lower->claims.is_claimed)
		claim(lower, 0);
}

/* Two ways join: this one has claimed or not, `other` ended in a goto. */
void claims_join(struct lower *lower, struct ir_block *other,
		 bool other_claimed)
{
	if (other_claimed == lower->claims.is_claimed)
		return;
	if (other_claimed) {
		claim(lower, 0);
		return;
	}

	/* put it before the goto that is there already */
	struct ir_block *here = lower->b.block;
	struct ir_insn **link = &other->first;

	while ((*link)->next)
		link = &(*link)->next;
	struct ir_insn *end = *link;
	struct ir_insn *insn = arena_new_of(lower->session->arena,
					    struct ir_insn);

	*insn = (struct ir_insn){
		.op = IR_RECORD_BEGIN, .a = lower->probe_id,
		.b = lower->timestamp,
		.imm2 = lower->clause->id, .target = lower->claims.next,
		.place = end->place, .next = end,
	};
	*link = note(lower, insn);
	lower->b.block = here;
}

void claims_end(struct lower *lower)
{
	if (lower->claims.is_claimed)
		note(lower, ir_emit(&lower->b, IR_RECORD_END));
}

void claims_drop(struct lower *lower)
{
	note(lower, ir_emit(&lower->b, IR_RECORD_DROP));
}

void claims_settle(struct lower *lower)
{
	struct record_layout *layout = lower->layout;
	struct ir_program *program = lower->b.program;
	bool is_wanted = layout->actions || layout->is_empty_clause ||
			 (lower->clause->records && !lower->clause->whole);

	layout->size = round_up(lower->record_at, 8);
	if (is_wanted && layout->size > program->max_record)
		program->max_record = layout->size;
	for (struct claim_list *entry = lower->claims.all; entry;
	     entry = entry->next) {
		struct ir_insn *insn = entry->insn;

		if (!is_wanted) {
			insn->op = IR_NOP;
			insn->target = NULL;
			insn->a = insn->b = insn->values[0] = 0;
		} else if (insn->op == IR_RECORD_BEGIN) {
			insn->imm = layout->size;
		}
	}
}

void lower_speculate(struct lower *lower, ir_reg id)
{
	if (!lower->claims.is_claimed)
		claim(lower, id);
}
