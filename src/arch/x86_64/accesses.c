/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands in memory of mov and lea, found by their bytes: what is before and
 * after need not be understood.  A function of a few dozen bytes has hardly
 * anything that looks like them by accident; users check what they get.
 */
#include <string.h>

#include "arch/arch.h"

enum { MOV_LOAD = 0x8b, LEA = 0x8d, REX_W = 0x48, REX_R = 4 };

/* The operand of an instruction whose opcode is at `at`; its length, or 0. */
static size_t read_operand(const uint8_t *code, size_t size, size_t at,
			   struct arch_access *operand)
{
	enum { STACK = 4, RELATIVE = 5, SHORT = 1, LONG = 2 };

	if (at + 2 > size)
		return 0;
	unsigned mode = code[at + 1] >> 6, base = code[at + 1] & 7;
	size_t length = mode == SHORT ? 3 : 6;
	int32_t number;

	operand->is_relative = !mode && base == RELATIVE;
	if (base == STACK ||
	    (mode != SHORT && mode != LONG && !operand->is_relative) ||
	    at + length > size)
		return 0;
	if (mode == SHORT) {
		operand->value = (int8_t)code[at + 2];
		return length;
	}
	memcpy(&number, code + at + 2, sizeof(number));
	operand->value = number;
	if (operand->is_relative)
		operand->value += (int64_t)(at + length);
	return length;
}

size_t arch_accesses(const uint8_t *code, size_t size,
		     struct arch_access *operands, size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < size && count < most;) {
		bool is_wide = (code[i] & ~REX_R) == REX_W;
		size_t at = i + is_wide, length = 0;
		struct arch_access operand = { 0 };

		if (at < size && code[at] == MOV_LOAD)
			operand.size = is_wide ? 8 : 4;
		if (at < size &&
		    (code[at] == MOV_LOAD || (is_wide && code[at] == LEA)))
			length = read_operand(code, size, at, &operand);
		if (length)
			operands[count++] = operand;
		i = length ? at + length : i + 1;
	}
	return count;
}

/* mov %fs:constant, or to it. */
bool arch_thread_slot(const uint8_t *code, size_t size, int32_t *slot)
{
	enum { FS = 0x64, STORE = 0x89, LENGTH = 9 };
	enum { BY_INDEX = 4, NO_BASE = 0x25, MODE_AND_BASE = 0xc7 };

	for (size_t i = 0; i + LENGTH <= size; i++) {
		const uint8_t *at = code + i;

		if (at[0] != FS || (at[1] & ~REX_R) != REX_W ||
		    (at[2] != MOV_LOAD && at[2] != STORE) ||
		    (at[3] & MODE_AND_BASE) != BY_INDEX || at[4] != NO_BASE)
			continue;
		memcpy(slot, at + 5, sizeof(*slot));
		return true;
	}
	return false;
}
