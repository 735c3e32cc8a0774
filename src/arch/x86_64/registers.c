/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of x86-64: their numbers, and what functions, system calls and
 * branches use them for.
 */
#include "registers.h"

#include "arch/arch.h"

_Static_assert((int)ARCH_PC == PT_RIP && (int)ARCH_SP == PT_RSP &&
		       (int)ARCH_FP == PT_RBP && (int)ARCH_FLAGS == PT_FLAGS &&
		       (int)ARCH_RESULT == PT_RAX && (int)ARCH_MODE == PT_CS &&
		       (int)ARCH_RESULT_HIGH == PT_RDX &&
		       (int)ARCH_SYSCALL_NUMBER == PT_ORIG_RAX,
	       "machine.h has the same numbers");

const uint32_t arch_registers[ARCH_NREGISTERS] = {
	PT_RAX, PT_RCX, PT_RDX, PT_RBX, PT_RSP, PT_RBP, PT_RSI, PT_RDI, PT_R8,
	PT_R9, PT_R10, PT_R11, PT_R12, PT_R13, PT_R14, PT_R15, PT_RIP,
};

uint32_t arch_argument_register(uint32_t n)
{
	static const uint32_t places[ARCH_ARGUMENT_REGISTERS] = {
		PT_RDI, PT_RSI, PT_RDX, PT_RCX, PT_R8, PT_R9,
	};

	return places[n];
}

/* R_DS ... R_TRAPNO; of fs and gs the bases, since the selectors are 0. */
const char *const arch_thread_registers[ARCH_UREGS - ARCH_UREGS_SAVED] = {
	"ds", "es", "fsbase", "gsbase", "trap_nr",
};

/* ------------------------------------------------------------ system calls */

const struct arch_syscall_argument
	arch_syscall_arguments[ARCH_SYSCALL_ARGUMENTS] = {
		{ PT_RDI, PT_RBX }, { PT_RSI, PT_RCX }, { PT_RDX, PT_RDX },
		{ PT_R10, PT_RSI }, { PT_R8, PT_RDI },	{ PT_R9, PT_RBP },
	};

/* TS_COMPAT: an i386 program, or int $0x80 in any. */
const struct arch_compat arch_compat = {
	.file = "/proc/sys/abi/vsyscall32", .member = "status", .flag = 2,
};

/* -------------------------------------------------------------- conditions */

enum { CARRY, ZERO, SIGN, OVERFLOW, LESS, BELOW, PARITY, NOT_GREATER };

const struct arch_step arch_condition_steps[ARCH_CONDITION_STEPS] = {
	[CARRY] = { STEP_BIT, 0, 0 },
	[ZERO] = { STEP_BIT, 6, 0 },
	[SIGN] = { STEP_BIT, 7, 0 },
	[OVERFLOW] = { STEP_BIT, 11, 0 },
	[LESS] = { STEP_XOR, SIGN, OVERFLOW },
	[BELOW] = { STEP_OR, CARRY, ZERO },	/* or equal */
	[PARITY] = { STEP_BIT, 2, 0 },
	[NOT_GREATER] = { STEP_OR, ZERO, LESS },
};

/* jo, jb, je, jbe, js, jp, jl, jle */
const uint8_t arch_conditions[ARCH_CONDITION_PAIRS] = {
	OVERFLOW, CARRY, ZERO, BELOW, SIGN, PARITY, LESS, NOT_GREATER,
};

/* ----------------------------------------------------- the kernel's functions */

/* After endbr64, if there is one; functions are aligned to 16 bytes. */
uint64_t arch_function_start(uint64_t patched)
{
	enum { ALIGNMENT = 16, ENDBR64 = 4 };
	uint64_t behind = patched % ALIGNMENT;

	return !behind || behind == ENDBR64 ? patched - behind : 0;
}
