/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording values without a format: trace(), tracemem(), printm().
 */
#include "builtin/builtin.h"
#include "ir/lower.h"
#include "out/out.h"

static void write_text(struct printer *printer, const struct text *text)
{
	fwrite(text_str(text), 1, text->n, printer->file);
}

/* ----------------------------------------------------------------- trace */

static bool check_trace(struct checker *checker, struct node *call)
{
	struct types *types = checker->language->types;
	struct node *value = call_argument(call, 0);

	if (value->kind == NODE_AGGREGATION) {
		builtin_error(checker, value, D_TRACE_DYN,
			      "trace( ) may not be applied to a dynamic expression");
		diag_where(&checker->language->diag, "aggregation");
		diag_hint(&checker->language->diag, "did you mean printa()?");
		return false;
	}
	if (type_is_void(types, value->type))
		return builtin_error(checker, value, D_TRACE_VOID,
				     "trace( ) may not be applied to a void expression");
	if (type_is_dynamic(types, value->type))
		return builtin_error(checker, value, D_TRACE_DYN,
				     "trace( ) may not be applied to a dynamic expression");
	return true;
}

static bool print_trace(struct printer *printer,
			const struct record_action *action,
			const uint8_t *record)
{
	struct print_value value = printer_field(printer, action, 0, record);

	text_clear(&printer->scratch);
	print_default(printer, &value, &printer->scratch);
	write_text(printer, &printer->scratch);
	return true;
}

ACTION(trace, "void (@)", .flags = FUNCTION_RECORDS, .check = check_trace,
       .lower = lower_arguments, .print = print_trace);

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
	if (!node_is_positive_constant(size) ||
	    size->integer.value > INT32_MAX)
		return builtin_error(checker, size, D_TRACEMEM_SIZE,
				     "tracemem( ) argument #2 must be a non-zero positive integral constant expression");
	if (limit && !node_is_scalar(checker, limit))
		return builtin_error(checker, limit, D_TRACEMEM_DYNSIZE,
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
	struct record_action *action = layout_action(lower, call,
						     limit ? 2 : 1);
	struct type *bytes = type_array(lower->types,
					types_base(lower->types, BASE_UINT8),
					size);
	struct ir_mem at = layout_reserve(lower, action, 0, bytes, size, 8);

	ir_read(&lower->b, at, lower_pointer_space(lower, address), from, size);
	return !limit || layout_store(lower, action, 1, limit);
}

/* A dynamic size only ever shows less: negative or too large is all. */
static bool print_tracemem(struct printer *printer,
			   const struct record_action *action,
			   const uint8_t *record)
{
	struct print_value value = printer_field(printer, action, 0, record);
	uint32_t size = value.size;

	if (action->nfields > 1) {
		struct print_value limit = printer_field(printer, action, 1,
							 record);
		int64_t wanted = print_value_integer(printer->types, &limit);

		if (wanted >= 0 && wanted < size)
			size = (uint32_t)wanted;
	}
	if (!size)
		return true;
	text_clear(&printer->scratch);
	print_hexdump(value.bytes, size, &printer->scratch);
	write_text(printer, &printer->scratch);
	return true;
}

ACTION(tracemem, "void (@, size_t, [@])", .flags = FUNCTION_RECORDS,
       .check = check_tracemem, .lower = lower_tracemem,
       .print = print_tracemem);

/* ---------------------------------------------------------------- printm */

static bool check_printm(struct checker *checker, struct node *call)
{
	struct node *size = call_argument(call, 0);

	if (node_is_positive_constant(size) && size->integer.value <= INT32_MAX)
		return true;
	return builtin_error(checker, size, D_PRINTM_SIZE,
			     "printm( ) argument #1 must be a non-zero positive integral constant expression");
}

/* What a memref() tells of: its bytes, and how many they are. */
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
	struct record_action *action = layout_action(lower, call, 2);
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
       .check = check_printm, .lower = lower_printm, .print = print_tracemem);
