/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording values without a format: trace(), tracemem(), printm().
 */
#include "builtin/builtin.h"
#include "ir/lower.h"

/* ----------------------------------------------------------------- trace */

static bool check_trace(struct checker *checker, struct node *call)
{
	struct types *types = checker->language->types;
	struct node *value = call_argument(call, 0);

	if (value->kind == NODE_AGGREGATION) {
		builtin_error(
			checker, value, D_TRACE_DYN,
			"trace( ) may not be applied to a dynamic expression");
		diag_where(&checker->language->diag, "aggregation");
		diag_hint(&checker->language->diag, "did you mean printa()?");
		return false;
	}
	if (type_is_void(types, value->type))
		return builtin_error(
			checker, value, D_TRACE_VOID,
			"trace( ) may not be applied to a void expression");
	if (type_is_dynamic(types, value->type))
		return builtin_error(
			checker, value, D_TRACE_DYN,
			"trace( ) may not be applied to a dynamic expression");
	return true;
}

ACTION(trace, "void (@)", .flags = FUNCTION_RECORDS, .check = check_trace,
       .lower = lower_arguments, .rule = RULE_VALUE);

/* -------------------------------------------------------------- tracemem */

static bool check_tracemem(struct checker *checker, struct node *call)
{
	struct types *types = checker->language->types;
	struct node *address = call_argument(call, 0);
	struct node *size = call_argument(call, 1);
	struct node *limit = call_argument(call, 2);

	if (address->kind == NODE_AGGREGATION ||
	    (!type_is_integer(types, address->type) &&
	     !type_is_pointer(types, address->type)))
		return argument_error(checker, call, 0, D_TRACEMEM_ADDR,
				      "pointer or integer");
	if (!node_is_positive_constant(size) || size->integer.value > INT32_MAX)
		return builtin_error(
			checker, size, D_TRACEMEM_SIZE,
			"tracemem( ) argument #2 must be a non-zero positive integral constant expression");
	if (limit && !node_is_scalar(checker, limit))
		return builtin_error(
			checker, limit, D_TRACEMEM_DYNSIZE,
			"tracemem ( ) dynamic size (argument #3) must be of scalar type");
	return true;
}

static bool lower_tracemem(struct lower *lower, const struct node *call,
			   struct value *result)
{
	const struct node *address = call_argument(call, 0);
	const struct node *limit = call_argument(call, 2);
	uint32_t size = (uint32_t)call_argument(call, 1)->integer.value;
	ir_reg from;

	(void)result;
	if (!lower_scalar(lower, address, &from))
		return false;
	struct schema_action *action = layout_action(lower, call,
						     limit ? 2 : 1);
	struct type *bytes = type_array(lower->types,
					types_base(lower->types, BASE_UINT8),
					size);
	struct ir_mem at = layout_reserve(lower, action, 0, bytes, size, 8);

	ir_read(&lower->b, at, lower_pointer_space(lower, address), from, size);
	return !limit || layout_store(lower, action, 1, limit);
}

ACTION(tracemem, "void (@, size_t, [@])", .flags = FUNCTION_RECORDS,
       .check = check_tracemem, .lower = lower_tracemem, .rule = RULE_MEMORY);

/* ---------------------------------------------------------------- printm */

static bool check_printm(struct checker *checker, struct node *call)
{
	struct node *size = call_argument(call, 0);

	if (node_is_positive_constant(size) && size->integer.value <= INT32_MAX)
		return true;
	return builtin_error(
		checker, size, D_PRINTM_SIZE,
		"printm( ) argument #1 must be a non-zero positive integral constant expression");
}

/* What a memref() refers to: its bytes and their number. */
static bool lower_printm(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct ir_builder *b = &lower->b;
	uint32_t size = (uint32_t)call_argument(call, 0)->integer.value;
	struct type *word = types_base(lower->types, BASE_UINT64);
	struct type *bytes = type_array(lower->types,
					types_base(lower->types, BASE_UINT8),
					size);
	struct ir_block *cut = ir_block_new(b, "cut");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg address, count = ir_reg_new(b->program);

	(void)result;
	if (!lower_scalar(lower, call_argument(call, 1), &address))
		return false;
	struct schema_action *action = layout_action(lower, call, 2);
	struct ir_mem pair = ir_object(b, 16, "memref");

	ir_read(b, pair, lower_pointer_space(lower, call_argument(call, 1)),
		address, 16);
	ir_move(b, count, ir_load(b, ir_mem_at(pair, 8), 8, false));
	ir_branch(b, ir_binary_imm(b, IR_UGT, count, size), cut, join);
	ir_enter(b, cut);
	ir_move(b, count, ir_const(b, size));
	ir_enter(b, join);
	struct ir_mem at = layout_reserve(lower, action, 0, bytes, size, 8);

	ir_read(b, at, IR_KERNEL, ir_load(b, pair, 8, false), size);
	b->block->last->b = count;
	ir_store(b, layout_reserve(lower, action, 1, word, 8, 8), count, 8);
	return true;
}

ACTION(printm, "void (size_t, uintptr_t *)", .flags = FUNCTION_RECORDS,
       .check = check_printm, .lower = lower_printm, .rule = RULE_MEMORY);
