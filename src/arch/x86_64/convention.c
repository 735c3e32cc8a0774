/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The System V calling convention of x86-64, as far as needed to find integers
 * and pointers among other parameters.
 *
 * Integers and pointers go to six registers, floating point to eight others.  A
 * struct of up to two words is split: each word goes where its members would
 * go, or all of it to the stack if there are too few registers.  Larger ones,
 * and parameters without a register, are on the stack in order.  A function
 * that returns a large struct gets the address for it as its first parameter,
 * and returns that address.
 */
#include "arch/arch.h"

enum { FLOAT_REGISTERS = 8, WORD = 8 };

static bool is_in_memory(const struct arch_value *value)
{
	return value->size > 2 * WORD || value->is_odd ||
	       (value->integers | value->floats) >> 2 ||
	       value->widest_float > WORD;
}

static uint32_t count(uint32_t words)
{
	return (uint32_t)__builtin_popcount(words);
}

struct arch_passed arch_pass(const struct arch_value *value,
			     struct arch_taken *taken)
{
	/* a word that has both is one of integers */
	uint32_t integers = count(value->integers);
	uint32_t floats = count(value->floats & ~value->integers);
	bool in_memory = is_in_memory(value);
	uint64_t size = value->size;
	struct arch_passed passed = { .how = PASS_WORD };

	if (value->is_by_reference) {
		passed.how = PASS_ADDRESS;
		in_memory = false;
		integers = 1;
		floats = 0;
		size = WORD;
	} else if (value->is_float) {
		passed.how = PASS_FLOAT;
	} else if (value->is_object || size > WORD) {
		passed.how = PASS_OBJECT;
	}
	if (!integers && !floats && !in_memory)
		return (struct arch_passed){ .how = PASS_NOTHING };
	if (!in_memory &&
	    taken->integers + integers <= ARCH_ARGUMENT_REGISTERS &&
	    taken->floats + floats <= FLOAT_REGISTERS) {
		passed.slot = taken->integers;
		if (passed.how == PASS_OBJECT && !floats)
			passed.how = PASS_WORDS;
		taken->integers += integers;
		taken->floats += floats;
		return passed;
	}
	if (size > WORD && value->align > WORD)
		taken->stack = (taken->stack + 1) & ~1u;
	if (passed.how == PASS_OBJECT)
		passed.how = PASS_WORDS;
	passed.slot = ARCH_ARGUMENT_REGISTERS + taken->stack;
	taken->stack += (uint32_t)((size + WORD - 1) / WORD);
	return passed;
}

struct arch_passed arch_pass_result(const struct arch_value *value,
				    struct arch_taken *taken)
{
	struct arch_taken none = { 0 };

	*taken = none;
	if (!value->is_by_reference &&
	    !(value->is_object && is_in_memory(value)))
		return arch_pass(value, &none);
	taken->integers = 1;
	return (struct arch_passed){ .how = PASS_ADDRESS };
}
