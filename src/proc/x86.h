/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Instructions of x86-64: how long they are, and where probes may be.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the instruction at `code`, or 0: there is none. */
unsigned x86_length(const uint8_t *code, size_t size);
/*
 * Does an instruction start at `offset`, decoding from the start?  Also true
 * for the start itself.
 */
bool x86_is_boundary(const uint8_t *code, size_t size, uint64_t offset);
/* endbr64: what follows it can be probed much cheaper. */
bool x86_is_endbr(const uint8_t *code, size_t size);
/* The nop of 5 bytes, which some kernels replace by a call. */
bool x86_is_long_nop(const uint8_t *code, size_t size);
/* `ret`, with or without prefixes and operand. */
bool x86_is_return(const uint8_t *code, size_t size);
/* Enters the kernel: syscall, sysenter, int $0x80. */
bool x86_is_syscall(const uint8_t *code, size_t size);
/* Where it goes from an instruction. */
enum x86_flow {
	X86_ON,		/* to the next, calls included */
	X86_BRANCH,	/* to the target or to the next */
	X86_JUMP,	/* to the target */
	X86_INDIRECT,	/* to where a register or memory says */
	X86_RETURN,
	X86_STOP,	/* nowhere: ud2, hlt */
};
/* `target` is counted from the start of the instruction. */
enum x86_flow x86_flow(const uint8_t *code, size_t size, int64_t *target);
/*
 * The condition of a branch, as the processor numbers them: 4 is "equal", and
 * an odd one is the opposite of the one before it.  False: it tests rcx.
 */
bool x86_condition(const uint8_t *code, size_t size, unsigned *condition);
/*
 * Where an indirect jump finds its target: in a register, or in memory at
 * base + (index << shift) + displacement.
 */
enum { X86_RSP = 4, X86_RIP = 16, X86_NONE = 17 };
struct x86_operand {
	bool is_memory;
	uint8_t base, index;	/* numbers of registers */
	uint8_t shift;
	int32_t displacement;	/* from rip: of this instruction's start */
};
/* False: a segment, or something else that is no plain address. */
bool x86_indirect(const uint8_t *code, size_t size,
		  struct x86_operand *operand);
/* Marked as the jump of a switch (notrack). */
bool x86_is_switch(const uint8_t *code, size_t size);
/* Number of the 64-bit register that it adds another register to, or -1. */
int x86_added_to(const uint8_t *code, size_t size);
/*
 * Vector instructions, those with `lock` or a segment (as long nops have), and
 * privileged ones: the kernel allows no probe there.  It says so for all that
 * were asked for at once, and finding out which it meant takes a tenth of a
 * second for each.
 */
bool x86_is_refused(const uint8_t *code, size_t size);
/*
 * Of those: it changes neither registers with arguments nor the stack, so a
 * probe behind it sees what one in front of it would.
 */
bool x86_is_harmless(const uint8_t *code, size_t size);
