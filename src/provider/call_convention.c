/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The System V calling convention of x86-64, as far as one must know it to
 * find integers and pointers among other parameters.
 *
 * Integers and pointers go to six registers, floating point to eight others.
 * A struct of up to two words is taken apart: each word goes where its members
 * would go, or all of it to the stack when registers do not suffice.  Larger
 * ones, and what finds no register, lie on the stack in order.  A function
 * that returns a large struct has the address for it as its first parameter,
 * and returns that.
 */
#include "provider/call_convention.h"

enum { INTEGER_REGISTERS = 6, FLOAT_REGISTERS = 8, WORD = 8, DEEPEST = 16 };

enum word_class { CLASS_NONE, CLASS_FLOAT, CLASS_INTEGER };

struct words {
	enum word_class classes[2];
	bool in_memory;
};

/* What lies where in the first two words. */
static void classify(struct types *types, struct type *type, uint64_t bit,
		     unsigned depth, struct words *words)
{
	uint64_t size;

	type = type_strip(types, type);
	size = type_size(types, type);
	if (depth > DEEPEST || bit >= 128) {
		words->in_memory = true;
		return;
	}
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		type_complete(types, type);
		for (uint32_t i = 0; i < type->nmembers; i++)
			classify(types, type->members[i].type,
				 bit + type->members[i].bit_offset, depth + 1,
				 words);
		break;
	case TYPE_ARRAY:
		size = type_size(types, type->target);
		for (uint64_t i = 0; i < type->count && size && i < 16; i++)
			classify(types, type->target, bit + i * size * 8,
				 depth + 1, words);
		break;
	case TYPE_FLOAT:
		words->in_memory |= size > WORD;
		if (words->classes[bit / 64] == CLASS_NONE)
			words->classes[bit / 64] = CLASS_FLOAT;
		break;
	default:
		words->classes[bit / 64] = CLASS_INTEGER;
		if (size > WORD)
			words->classes[1] = CLASS_INTEGER;
	}
}

static struct words words_of(struct types *types, struct type *type)
{
	struct words words = { 0 };

	if (type_size(types, type) > sizeof(words.classes) /
					     sizeof(words.classes[0]) * WORD)
		words.in_memory = true;
	else
		classify(types, type, 0, 0, &words);
	return words;
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

static uint32_t count(const struct words *words, enum word_class wanted)
{
	return (words->classes[0] == wanted) + (words->classes[1] == wanted);
}

static bool is_object(struct types *types, struct type *type)
{
	return type_is_sou(types, type) ||
	       type_strip(types, type)->kind == TYPE_ARRAY;
}

/* Registers and words of the stack that are taken. */
struct taken {
	uint32_t integers, floats, stack;
};

static struct passed pass(struct types *types, struct type *type,
			  struct taken *taken)
{
	struct type *bare = type_strip(types, type);
	struct words words = words_of(types, type);
	uint32_t integers = count(&words, CLASS_INTEGER);
	uint32_t floats = count(&words, CLASS_FLOAT);
	uint64_t size = type_size(types, type);
	struct passed passed = { .how = PASS_WORD };
	bool by_reference = is_by_reference(types, bare, 0);

	if (by_reference) {
		passed.how = PASS_ADDRESS;
		words = (struct words){ { CLASS_INTEGER, CLASS_NONE }, false };
		integers = 1;
		floats = 0;
		size = WORD;
	} else if (type_is_float(types, bare)) {
		passed.how = PASS_FLOAT;
	} else if (is_object(types, bare) || size > WORD) {
		passed.how = PASS_OBJECT;
	}
	if (!integers && !floats && !words.in_memory)
		return (struct passed){ .how = PASS_NOTHING };
	if (!words.in_memory &&
	    taken->integers + integers <= INTEGER_REGISTERS &&
	    taken->floats + floats <= FLOAT_REGISTERS) {
		passed.slot = taken->integers;
		if (passed.how == PASS_OBJECT && !floats)
			passed.how = PASS_WORDS;
		taken->integers += integers;
		taken->floats += floats;
		return passed;
	}
	if (size > WORD && !by_reference &&
	    type_align(types, type) > WORD)
		taken->stack = (taken->stack + 1) & ~1u;
	if (passed.how == PASS_OBJECT)
		passed.how = PASS_WORDS;
	passed.slot = INTEGER_REGISTERS + taken->stack;
	taken->stack += (uint32_t)((size + WORD - 1) / WORD);
	return passed;
}

/* In memory that the caller has made room for? */
static bool is_result_in_memory(struct types *types, struct type *function)
{
	struct type *type = type_strip(types, function->target);

	return is_by_reference(types, type, 0) ||
	       (is_object(types, type) && words_of(types, type).in_memory);
}

struct passed call_result(struct types *types, struct type *function)
{
	struct type *type = function->target;
	struct taken taken = { 0 };

	if (type_is_void(types, type))
		return (struct passed){ .how = PASS_NOTHING };
	if (is_result_in_memory(types, function))
		return (struct passed){ .how = PASS_ADDRESS };
	return pass(types, type, &taken);
}

struct passed call_parameter(struct types *types, struct type *function,
			     uint32_t n)
{
	struct taken taken = {
		.integers = is_result_in_memory(types, function),
	};
	struct passed passed = { .how = PASS_NOTHING };

	for (uint32_t i = 0; i <= n && i < function->nparams; i++)
		passed = pass(types, function->params[i], &taken);
	return passed;
}
