/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print(): any value with its type.
 *
 * There are two traditions.  On Linux print() takes a pointer and shows what
 * it points to; elsewhere it takes any value and shows that, pointers as
 * numbers.  Both are accepted: a pointer is followed, as Linux users expect;
 * what is no pointer, and was an error there, is shown as the others do.
 * Only what nobody can print stays an error: void, dynamic values, pointers
 * to nothing of a size, and aggregations (D_PROTO_ARG, as ever).
 *
 * The bytes are copied into the record when the probe fires, at most
 * printsize of them, as it was when tracing began; setopt() can only lower
 * how many are shown.
 */
#include "builtin/builtin.h"
#include "ir/lower.h"
#include "out/object.h"
#include "out/out.h"

enum { LEAST_PRINTSIZE = 1, MOST_PRINTSIZE = 65536, USUAL_PRINTSIZE = 8192 };

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
		return builtin_error(checker, value, D_PRINT_VOID,
				     "print( ) may not be applied to a void expression");
	if (type_is_dynamic(types, value->type))
		return builtin_error(checker, value, D_PRINT_DYN,
				     "print( ) may not be applied to a dynamic expression");
	if (!is_followed(types, value->type))
		return true;
	struct type *target = type_strip(types, value->type)->target;

	if (type_size(types, target))
		return true;
	return builtin_error(checker, value, D_PRINT_SIZE,
			     "print( ) argument #1 reference has type '%s' with size 0; cannot print( ) it.",
			     type_name(types, target));
}

/* Out of range is the default; the rest is rounded up. */
static uint64_t print_limit(const struct options *options)
{
	int64_t limit = option_number(options, OPTION_PRINTSIZE);

	if (limit < LEAST_PRINTSIZE || limit > MOST_PRINTSIZE)
		limit = USUAL_PRINTSIZE;
	return ((uint64_t)limit + 7) / 8 * 8;
}

static uint32_t print_size(struct lower *lower, struct type *type)
{
	uint64_t limit = print_limit(lower->session->language->config.options);
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
	struct record_action *action = layout_action(lower, call, 2);
	struct ir_mem address = layout_reserve(lower, action, 0, pointer->type,
					       8, 8);
	struct ir_mem bytes = layout_reserve(lower, action, 1, target, size, 8);

	if (value.kind == VALUE_MEMORY && value.mem.space != IR_KERNEL &&
	    value.mem.space != IR_USER && value.mem.space != IR_TYPED) {
		/* scratch memory has no address that anybody could use */
		ir_store(b, address, ir_const(b, 0), 8);
		if (value.capacity < size)
			return lower_fail(lower, pointer,
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
	return layout_store(lower, layout_action(lower, call, 1), 0, value);
}

static bool print_print(struct printer *printer,
			const struct record_action *action,
			const uint8_t *record)
{
	struct print_value value = printer_field(printer, action, 0, record);
	struct text *out = &printer->scratch, shown = { 0 };

	text_clear(out);
	if (action->nfields > 1) {
		struct print_value object = printer_field(printer, action, 1,
							  record);
		uint64_t limit = print_limit(printer->options);

		if (object.size > limit)	/* setopt() has lowered it */
			object.size = (uint32_t)limit;
		text_printf(out, "0x%llx = *\n", (unsigned long long)
			    print_value_integer(printer->types, &value));
		print_pointed(printer, object.type, object.bytes, object.size,
			      out);
	} else {
		print_typed(printer, value.type, value.bytes, value.size, out);
	}
	/* names of types and members are of the traced program, too */
	if (printer_escapes(printer)) {
		text_add_visible(&shown, text_str(out), out->n, VISIBLE_LINES);
		out = &shown;
	}
	fwrite(text_str(out), 1, out->n, printer->file);
	text_free(&shown);
	return true;
}

ACTION(print, "void (@)", .flags = FUNCTION_RECORDS,
       .check = check_print, .checks_prototype = true, .lower = lower_print,
       .print = print_print);
