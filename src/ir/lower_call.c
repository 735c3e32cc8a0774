/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the run-time library, from the side of D: arguments go to memory
 * that its functions may touch, results are zeroed memory of the frame.
 *
 * A function reads whole words from a start on 8 bytes and wants a NUL before
 * the capacity's end.  Literals, variables and results have that; members of
 * structs and char arrays are copied first.
 */

#include "ir/lower_internal.h"
#include "lang/internal.h"

bool lower_string_store(struct lower *lower, const struct node *node,
			struct value *value, struct ir_mem to,
			uint32_t capacity)
{
	return string_store(lower, node, value, to, capacity);
}

/* Can the library read this in place? */
static bool is_readable(const struct value *value, bool is_variable)
{
	const struct ir_mem *mem = &value->mem;

	if (mem->offset % 8)
		return false;
	if (mem->space == IR_RODATA)
		return true;
	if (mem->base)
		return false;
	return mem->space == IR_FRAME ||
	       (is_variable &&
		(mem->space == IR_GLOBAL || mem->space == IR_SELF));
}

static void copy_string(struct lower *lower, struct value *value,
			uint32_t capacity)
{
	struct ir_mem copy = ir_object(&lower->b, capacity, "argument");

	ir_string_copy(&lower->b, copy, capacity, value->mem, value->capacity);
	*value = value_of_string(lower, copy, capacity);
}

static bool later_assigns(const struct node *call, uint32_t n)
{
	const struct node *argument;

	while ((argument = call_argument(call, ++n)))
		if (tree_assigns(argument))
			return true;
	return false;
}

bool lower_library_value(struct lower *lower, const struct node *node,
			 struct value *value, bool must_copy)
{
	bool is_string = value->kind != VALUE_MEMORY ||
			 mem_is_addressed(&value->mem) ||
			 type_is_string(lower->types, node->type);
	bool is_variable = value->null != 0;
	uint32_t limit = lower_string_capacity(lower);

	if (!value_to_string(lower, node, value))
		return false;
	if (value->null)
		ir_fault_if(&lower->b, value->null, FAULT_BADADDR, 0);
	value->null = 0;

	uint32_t capacity = value->capacity + !is_string;

	if (capacity > limit)
		capacity = limit;
	if (!is_string || capacity < value->capacity ||
	    (must_copy && !value->literal) || !is_readable(value, is_variable))
		copy_string(lower, value, capacity);
	return true;
}

bool lower_library_string(struct lower *lower, const struct node *call,
			  uint32_t n, struct value *value)
{
	const struct node *node = call_argument(call, n);

	return lower_expression(lower, node, value) &&
	       lower_library_value(lower, node, value, later_assigns(call, n));
}

bool lower_library_number(struct lower *lower, const struct node *call,
			  uint32_t n, enum base_type base, int64_t otherwise,
			  ir_reg *reg)
{
	const struct node *node = call_argument(call, n);

	if (!node) {
		*reg = ir_const(&lower->b, otherwise);
		return true;
	}
	if (!lower_scalar(lower, node, reg))
		return false;
	*reg = lower_convert(lower, *reg, node->type,
			     types_base(lower->types, base));
	return true;
}

struct value lower_library_result(struct lower *lower, uint32_t capacity)
{
	uint32_t limit = lower_string_capacity(lower);

	if (capacity > limit)
		capacity = limit;
	if (capacity < 2)
		capacity = 2;
	struct ir_mem object = ir_object(&lower->b, capacity, "result");

	ir_clear(&lower->b, object, round_up(capacity, 8));
	return value_of_string(lower, object, capacity);
}

void lower_library_write(struct lower *lower, enum ir_function function,
			 const struct value *result, const struct value *source,
			 ir_reg x, ir_reg y)
{
	ir_call(&lower->b, IR_CALL_WRITE, function, result->mem,
		result->capacity, source->mem, source->capacity, x, y);
}

ir_reg lower_library_read(struct lower *lower, enum ir_function function,
			  const struct value *mem, const struct value *source,
			  ir_reg x)
{
	return ir_call(&lower->b, IR_CALL_READ, function, mem->mem,
		       mem->capacity, source->mem, source->capacity, x, 0);
}

bool lower_library_bytes(struct lower *lower, const struct node *node,
			 uint32_t size, struct value *bytes)
{
	struct ir_mem object = ir_object(&lower->b, size, "bytes");
	struct value pointer = { 0 };

	if (!lower_expression(lower, node, &pointer))
		return false;
	if (pointer.kind == VALUE_MEMORY && !mem_is_addressed(&pointer.mem)) {
		if (pointer.capacity < size)
			ir_fault(&lower->b, FAULT_BADADDR, 0);
		else
			ir_copy(&lower->b, object, pointer.mem, size);
	} else {
		ir_reg address;

		if (!value_scalar(lower, node, &pointer, &address))
			return false;
		ir_read(&lower->b, object, lower_pointer_space(lower, node),
			address, size);
	}
	*bytes = value_of_string(lower, object, size);
	return true;
}
