/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * x86-64's part of the walk over a user's stack (bpf/unwind.bpf.c), compiled
 * for BPF and natively; arch.h describes its interface.
 */

#include "bpf/unwind_state.h"
#include "machine.h"

/* In struct ucontext, which is where the stack pointer points. */
enum {
	WALK_SIGNAL_FP = 120, WALK_SIGNAL_SP = 160, WALK_SIGNAL_PC = 168,
};

/* call *...: ff /2, of 2, 3, 6 or 7 bytes; call: e8 rel32 */
static NOINLINE uint64_t walk_is_behind_call(struct state *s, uint64_t address,
					     uint64_t callee)
{
	if (!read_user(s, address - WORD))
		return 0;
	uint64_t code = s->word;
	uint64_t target = address + (uint64_t)((int64_t)code >> 32);

	if ((code >> 8 & 0xff) == 0xff || (code >> 16 & 0xff) == 0xff ||
	    (code >> 40 & 0xff) == 0xff || (code >> 48 & 0xff) == 0xff)
		return 1;
	return (code >> 24 & 0xff) == 0xe8 &&
	       (!callee || callee - target < WALK_FUNCTION_MOST);
}

/* push %rbp, ret, endbr64 */
INLINE bool walk_has_nothing_pushed(uint64_t code)
{
	return (code & 0xff) == 0x55 || (code & 0xff) == 0xc3 ||
	       (code & 0xffffffff) == 0xfa1e0ff3;
}

/* mov %rsp, %rbp in both of its forms */
INLINE bool walk_has_pointer_pushed(uint64_t code)
{
	return (code & 0xffffff) == 0xe58948 || (code & 0xffffff) == 0xec8b48;
}

/* An entry of the procedure linkage table pushes a word at its 11th byte. */
INLINE uint64_t walk_linkage_cfa(uint64_t pc, uint64_t sp)
{
	return sp + WORD + ((pc & 15) >= 11) * WORD;
}

#ifdef __bpf__

/* __USER32_CS */
INLINE bool walk_is_narrow(uint64_t mode)
{
	return (mode & 0xffff) == 0x23;
}

/* A breakpoint, and not one of those that a linker filled a gap with. */
INLINE bool walk_is_breakpoint(uint64_t code)
{
	enum { INT3 = 0xcc };

	return code >> 56 == INT3 && (code >> 48 & 0xff) != INT3;
}
enum { WALK_BREAKPOINT = 1 };

/*
 * Bytes pushed by a trampoline when it is at an instruction: three bits for
 * each byte of its code, as a number of words.
 */
#define PUSHED_AT_RETURN 0x00014db6db6db488ull
#define PUSHED_AT_NOP 0x000149b6db6db448ull
INLINE uint64_t pushed_at(uint64_t pushed, uint64_t offset)
{
	return (pushed >> (offset * 3 & 63) & 7) * WORD;
}

INLINE uint64_t walk_pushed_at_return(uint64_t offset)
{
	return pushed_at(PUSHED_AT_RETURN, offset);
}

/* push %rcx; push %r11; push %rax; mov $336, %rax */
INLINE bool walk_is_nop_code(uint64_t code)
{
	return code == 0x50c0c74850534151;
}

/* Is this place the return address of a call to the trampoline at s->base? */
static NOINLINE uint64_t is_nop_call(struct state *s, uint64_t place)
{
	uint64_t address = user_word(place);
	uint64_t code = user_word(address - WORD);

	s->word = address;
	return (code >> 24 & 0xff) == 0xe8 &&
	       address + (uint64_t)((int64_t)code >> 32) == s->base;
}

/*
 * The call has 5 bytes; before it may be a jump over the red zone.  While the
 * kernel is at it nothing may be pushed any more.
 */
static NOINLINE uint64_t walk_leave_nop(struct walk *w, uint64_t offset)
{
	enum { CALL = 5, LEA = 5 };
	static const uint64_t lea = 0x8024648d48; /* -128(%rsp), %rsp */
	struct state *s = w->s;
	uint64_t pushed = pushed_at(PUSHED_AT_NOP, offset);

	if (is_nop_call(s, s->sp + pushed))
		s->sp += pushed + WORD;
	else if (!is_nop_call(s, s->sp - WORD))
		return 0;
	s->pc = s->word - CALL;
	if (read_user(s, s->pc - LEA) && (s->word & 0xffffffffff) == lea) {
		s->pc -= LEA;
		s->sp += ARCH_RED_ZONE;
	}
	return 1;
}

#endif
