/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of x86-64 that become probe sites:
 *
 *	e8 rel32	call	->  nop, 4-byte nop
 *	e9 rel32	jmp	->  nop, ret, 3-byte nop    (a call at the end)
 *	ff 15 / ff 25	the same through the global offset table (-fno-plt)
 *
 * The first byte is a nop of one byte; never is it followed by the 5-byte nop,
 * which some kernels mistake for an invitation.
 */
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/text.h"

enum { FLOAT_REGISTERS = 8, WORD = 8, OPERAND_BYTES = 4 };

static const struct {
	uint8_t opcode[2];
	uint8_t length; /* of the opcode, before the operand */
	bool is_jump;
	uint8_t code[6];
} calls[] = {
	{ { 0xe8 }, 1, false, { 0x90, 0x0f, 0x1f, 0x40, 0x00 } },
	{ { 0xe9 }, 1, true, { 0x90, 0xc3, 0x0f, 0x1f, 0x00 } },
	{ { 0xff, 0x15 }, 2, false, { 0x90, 0x66, 0x90, 0x0f, 0x1f, 0x00 } },
	{ { 0xff, 0x25 }, 2, true, { 0x90, 0xc3, 0x0f, 0x1f, 0x40, 0x00 } },
};

bool arch_call_to_site(uint8_t *code, uint64_t size, uint64_t operand,
		       struct arch_site *site)
{
	if (operand > size || size - operand < OPERAND_BYTES)
		return false;
	/* the longer forms first: 0xe8 could be the end of something */
	for (size_t i = sizeof(calls) / sizeof(calls[0]); i-- > 0;) {
		size_t length = calls[i].length;

		if (operand < length ||
		    memcmp(code + operand - length, calls[i].opcode, length))
			continue;
		site->offset = operand - length;
		/* a jmp finds the return address below the first word */
		site->below = calls[i].is_jump ? WORD : 0;
		memcpy(code + site->offset, calls[i].code,
		       length + OPERAND_BYTES);
		return true;
	}
	return false;
}

void arch_put_operand(struct text *out, unsigned size, bool is_float,
		      const struct arch_site *site, struct arch_taken *taken)
{
	static const char *const registers[ARCH_ARGUMENT_REGISTERS][4] = {
		{ "dil", "di", "edi", "rdi" }, { "sil", "si", "esi", "rsi" },
		{ "dl", "dx", "edx", "rdx" },  { "cl", "cx", "ecx", "rcx" },
		{ "r8b", "r8w", "r8d", "r8" }, { "r9b", "r9w", "r9d", "r9" },
	};

	if (is_float && taken->floats < FLOAT_REGISTERS)
		text_printf(out, "%%xmm%u", taken->floats++);
	else if (!is_float && taken->integers < ARCH_ARGUMENT_REGISTERS)
		text_printf(out, "%%%s",
			    registers[taken->integers++][__builtin_ctz(size)]);
	else
		text_printf(out, "%u(%%rsp)",
			    site->below + WORD * taken->stack++);
}

/* endbr64; movzwl semaphore(%rip), %eax; ret */
const struct arch_function arch_is_enabled = {
	.code = { 0xf3, 0x0f, 0x1e, 0xfa,
		  0x0f, 0xb7, 0x05, 0, 0, 0, 0, 0xc3 },
	.size = 12, .operand = 7, .relocation = R_X86_64_PC32, .addend = -4,
};

/* Its code is fit for indirect branch tracking and shadow stacks. */
const uint32_t arch_property[] = {
	4, 16, NT_GNU_PROPERTY_TYPE_0, 0x00554e47 /* "GNU" */,
	GNU_PROPERTY_X86_FEATURE_1_AND, 4,
	GNU_PROPERTY_X86_FEATURE_1_IBT | GNU_PROPERTY_X86_FEATURE_1_SHSTK,
	0,
};
const size_t arch_property_size = sizeof(arch_property);
