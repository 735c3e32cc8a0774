/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speculation: data that is kept or thrown away later.  Which of these may
 * follow which within a clause is checked with the clause.
 *
 * An id that is not there, or not active, is harmless: speculate() then skips
 * the rest of the clause, the others do nothing.
 */
#include "builtin/builtin.h"
#include "ir/lower.h"

static bool lower_speculation(struct lower *lower, const struct node *call,
			      struct value *result)
{
	struct ir_insn *insn = ir_emit(&lower->b, IR_SPECULATION);

	insn->dst = ir_reg_new(lower->b.program);
	lower->session->uses_speculation = true;
	*result = value_of_reg(call->type, insn->dst);
	return true;
}

/* The id, or 0 for one above nspec. */
static bool lower_id(struct lower *lower, const struct node *call, ir_reg *id)
{
	const struct options *options =
		lower->session->language->config.options;
	struct ir_builder *b = &lower->b;
	struct ir_block *none = ir_block_new(b, "no speculation");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg given;

	lower->session->uses_speculation = true;
	if (!lower_scalar(lower, call_argument(call, 0), &given))
		return false;
	*id = ir_reg_new(b->program);
	ir_move(b, *id, given);
	ir_branch(b,
		  ir_binary_imm(b, IR_UGT, *id,
				option_number(options, OPTION_NSPEC)),
		  none, join);
	ir_enter(b, none);
	ir_move(b, *id, ir_const(b, 0));
	ir_enter(b, join);
	return true;
}

static bool lower_speculate_call(struct lower *lower, const struct node *call,
				 struct value *result)
{
	ir_reg id;

	(void)result;
	if (!lower_id(lower, call, &id))
		return false;
	lower_speculate(lower, id);
	return true;
}

static bool lower_retire(struct lower *lower, const struct node *call,
			 struct value *result)
{
	bool commits = call->call.function->flags & FUNCTION_COMMIT;
	ir_reg id;

	(void)result;
	if (!lower_id(lower, call, &id))
		return false;
	struct ir_insn *insn = ir_emit(&lower->b,
				       commits ? IR_COMMIT : IR_DISCARD);

	insn->speculation = id;
	insn->a = lower->probe_id;
	insn->imm2 = lower->clause->id;
	return true;
}

SUBROUTINE(speculation, "int ()", .lower = lower_speculation);
ACTION(commit, "void (int)", .flags = FUNCTION_COMMIT, .lower = lower_retire);
ACTION(discard, "void (int)", .flags = FUNCTION_DISCARD, .lower = lower_retire);
ACTION(speculate, "void (int)", .flags = FUNCTION_SPECULATE,
       .lower = lower_speculate_call);
