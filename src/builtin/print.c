/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print(): any value with its type.
 *
 * There are two traditions.  On Linux print() takes a pointer and shows what it
 * points to; elsewhere it takes any value and shows that, pointers as numbers.
 * Both are accepted: a pointer is followed, as Linux users expect; a value that
 * is not a pointer, an error there, is shown as on the other systems.  Only
 * what cannot be printed is still an error: void, dynamic values, pointers to
 * types without a size, and aggregations (D_PROTO_ARG, as always).
 *
 * The bytes are copied into the record when the probe fires, at most printsize
 * of them, with its value from the start of tracing; setopt() can only reduce
 * how many are shown.
 */
#include "builtin/builtin.h"
#include "ir/lower.h"

static bool is_followed(struct types *types, struct type *type)
{
	return type_strip(types, type)->kind == TYPE_POINTER;
}

static bool check_print(struct checker *checker, struct node *call)
{
	struct types *types = checker->language->types;

	if (!check_prototype(checker, call, "void (@)"))
		return false;
	struct node *value = call_argument(call, 0);

	if (value->kind == NODE_AGGREGATION)
		return argument_error(checker, call, 0, D_PROTO_ARG, "void *");
	if (type_is_void(types, value->type))
		return builtin_error(
			checker, value, D_PRINT_VOID,
			"print( ) may not be applied to a void expression");
	if (type_is_dynamic(types, value->type))
		return builtin_error(
			checker, value, D_PRINT_DYN,
			"print( ) may not be applied to a dynamic expression");
	if (!is_followed(types, value->type))
		return true;
	struct type *target = type_strip(types, value->type)->target;

	if (type_size(types, target))
		return true;
	return builtin_error(
		checker, value, D_PRINT_SIZE,
		"print( ) argument #1 reference has type '%s' with size 0; cannot print( ) it.",
		type_name(types, target));
}

static uint32_t print_size(struct lower *lower, struct type *type)
{
	uint64_t limit =
		option_print_limit(lower->session->language->config.options);
	uint64_t size = type_size(lower->types, type);

	return (uint32_t)(size > limit ? limit : size);
}

static bool lower_pointed(struct lower *lower, const struct node *call,
			  const struct node *pointer)
{
	struct ir_builder *b = &lower->b;
	struct type *target = type_strip(lower->types, pointer->type)->target;
	uint32_t size = print_size(lower, target);
	struct value value = { 0 };

	if (!lower_expression(lower, pointer, &value))
		return false;
	struct schema_action *action = layout_action(lower, call, 2);
	struct ir_mem address = layout_reserve(lower, action, 0, pointer->type,
					       8, 8);
	struct ir_mem bytes = layout_reserve(lower, action, 1, target, size, 8);

	action->fields[1].object = schema_object_of(lower, target);

	if (value.kind == VALUE_MEMORY && value.mem.space != IR_KERNEL &&
	    value.mem.space != IR_USER && value.mem.space != IR_TYPED) {
		/* scratch memory has no usable address */
		ir_store(b, address, ir_const(b, 0), 8);
		if (value.capacity < size)
			return lower_fail(
				lower, pointer,
				"print( ) of an object that is larger than its memory");
		ir_copy(b, bytes, value.mem, size);
		return true;
	}
	ir_reg from;

	if (value.kind == VALUE_SCALAR)
		from = value.reg;
	else if (!lower_scalar(lower, pointer, &from))
		return false;
	ir_store(b, address, from, 8);
	ir_read(b, bytes, lower_pointer_space(lower, pointer), from, size);
	return true;
}

static bool lower_print(struct lower *lower, const struct node *call,
			struct value *result)
{
	const struct node *value = call_argument(call, 0);

	(void)result;
	if (is_followed(lower->types, value->type))
		return lower_pointed(lower, call, value);
	struct schema_action *action = layout_action(lower, call, 1);

	if (!layout_store(lower, action, 0, value))
		return false;
	action->fields[0].object = schema_object_of(lower, value->type);
	return true;
}

ACTION(print, "void (@)", .since = 9, .flags = FUNCTION_RECORDS,
       .check = check_print, .checks_prototype = true, .lower = lower_print,
       .rule = RULE_OBJECT);
