/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types in the words of conventions: how large they are, and which of their
 * words have integers and floating point in them.  What follows from that is
 * the machine's affair (arch_pass()).
 */
#include "provider/call_convention.h"

enum { WORD_BITS = 64, DEEPEST = 16 };

static void note_float(struct arch_value *value, uint64_t size, uint32_t word)
{
	value->floats |= word;
	if (size > value->widest_float)
		value->widest_float = size;
	if (size < value->narrowest_float || !value->narrowest_float)
		value->narrowest_float = size;
}

/* Which member is where, for a part that starts at `bit`. */
static void take_apart(struct types *types, struct type *type, uint64_t bit,
		       unsigned depth, struct arch_value *value)
{
	if (depth > DEEPEST || bit > ARCH_VALUE_MOST * 8) {
		value->is_odd = true;
		return;
	}
	type = type_strip(types, type);
	uint64_t size = type_size(types, type);
	uint32_t word = 1u << bit / WORD_BITS;

	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		type_complete(types, type);
		for (uint32_t i = 0; i < type->nmembers; i++)
			take_apart(types, type->members[i].type,
				   bit + type->members[i].bit_offset, depth + 1,
				   value);
		break;
	case TYPE_ARRAY:
		size = type_size(types, type->target);
		for (uint64_t i = 0;
		     size && i < type->count && i < ARCH_VALUE_MOST; i++)
			take_apart(types, type->target, bit + i * size * 8,
				   depth + 1, value);
		break;
	case TYPE_FLOAT:
		note_float(value, size, word);
		break;
	default:
		value->integers |= size * 8 > WORD_BITS ? word | word << 1
							: word;
	}
}

/* A C++ object that is passed by its address, for its own or a part's sake. */
static bool is_by_reference(struct types *types, struct type *type,
			    unsigned depth)
{
	type = type_strip(types, type);
	if (type->kind == TYPE_ARRAY)
		return depth < DEEPEST &&
		       is_by_reference(types, type->target, depth + 1);
	if (!type_is_sou(types, type) || !type_complete(types, type) ||
	    depth > DEEPEST)
		return false;
	if (type->is_by_reference)
		return true;
	for (uint32_t i = 0; i < type->nmembers; i++)
		if (is_by_reference(types, type->members[i].type, depth + 1))
			return true;
	return false;
}

static bool is_object(struct types *types, struct type *type)
{
	return type_is_sou(types, type) ||
	       type_strip(types, type)->kind == TYPE_ARRAY;
}

static struct arch_value value_of(struct types *types, struct type *type)
{
	struct type *bare = type_strip(types, type);
	struct arch_value value = {
		.size = type_size(types, type),
		.align = type_align(types, type),
		.is_object = is_object(types, bare),
		.is_float = type_is_float(types, bare),
		.is_by_reference = is_by_reference(types, bare, 0),
	};

	if (value.size <= ARCH_VALUE_MOST)
		take_apart(types, bare, 0, 0, &value);
	return value;
}

/* `taken`: what the result leaves to the parameters. */
static struct arch_passed pass_result(struct types *types,
				      struct type *function,
				      struct arch_taken *taken)
{
	*taken = (struct arch_taken){ 0 };
	if (type_is_void(types, function->target))
		return (struct arch_passed){ .how = PASS_NOTHING };
	struct arch_value value = value_of(types, function->target);

	return arch_pass_result(&value, taken);
}

struct arch_passed call_result(struct types *types, struct type *function)
{
	struct arch_taken taken;

	return pass_result(types, function, &taken);
}

struct arch_passed call_parameter(struct types *types, struct type *function,
				  uint32_t n)
{
	struct arch_passed passed = { .how = PASS_NOTHING };
	struct arch_taken taken;

	pass_result(types, function, &taken);
	for (uint32_t i = 0; i <= n && i < function->nparams; i++) {
		struct arch_value value = value_of(types, function->params[i]);

		passed = arch_pass(&value, &taken);
	}
	return passed;
}
