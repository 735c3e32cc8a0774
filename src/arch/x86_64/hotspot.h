/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * x86-64's part of the walk over frames of a Java virtual machine
 * (bpf/runtime_hotspot.h): what its registers mean, and what the instruction
 * that a thread is at says of its frame.
 */

#include "bpf/library.h"
#include "machine.h"

/*
 * Where the kernel has registers: rbx has the method that is being entered, and
 * when its frame is removed the caller's stack pointer; r13 the interpreter's
 * place in the bytecode, the caller's stack pointer while a method is entered,
 * and the return address when it is left; rax the return address while entered.
 */
enum {
	HOTSPOT_METHOD_AT = 40, HOTSPOT_BYTECODE_AT = 16, HOTSPOT_RETURN_AT = 80,
};

/* What a function that was compiled has on the stack so far. */
enum hotspot_position {
	HOTSPOT_WHOLE,	/* the whole frame */
	HOTSPOT_UNSAVED,	/* the same; the frame pointer still is in the register */
	HOTSPOT_NOTHING,	/* the return address */
	HOTSPOT_POINTER,	/* that and the frame pointer */
	HOTSPOT_INSIDE,	/* it is the interpreter */
	HOTSPOT_STUB,	/* it is something else */
};

INLINE uint64_t hotspot_bytes_are(uint64_t code, uint64_t bytes, uint64_t count)
{
	return (code & (((uint64_t)1 << 8 * count) - 1)) == bytes;
}

/* sub $N, %rsp in its forms */
INLINE uint64_t hotspot_is_sub(uint64_t code)
{
	return hotspot_bytes_are(code, 0xec8348, 3) ||
	       hotspot_bytes_are(code, 0xec8148, 3);
}

/* cmp offset(%r15), %rsp: is the thread to stop on its return? */
INLINE uint64_t hotspot_is_poll(uint64_t code)
{
	return hotspot_bytes_are(code, 0xa73b49, 3) ||
	       hotspot_bytes_are(code, 0x673b49, 3);
}

/* cmpl $N, N(%r15): may this code still be executed? */
INLINE uint64_t hotspot_is_check(uint64_t code)
{
	return hotspot_bytes_are(code, 0x7f8141, 3);
}

/*
 * At `offset` of a function that has made its frame at `complete`; eight bytes of
 * code from there on, and those before.
 *
 *	mov %eax, -N(%rsp); push %rbp; sub $N, %rsp
 *	cmpl $N, N(%r15); jne, or je and call
 *	sub $N, %rsp; mov %rbp, N(%rsp)
 *	add $N, %rsp; pop %rbp; cmp N(%r15), %rsp; ja; ret
 */
static NOINLINE uint64_t hotspot_position(uint64_t code, uint64_t before,
					  uint64_t offset, uint64_t complete)
{
	enum { CALL = 5, SHORT = 4, LONG = 7 };

	/* ret */
	if (hotspot_bytes_are(code, 0xc3, 1) || hotspot_is_poll(code))
		return HOTSPOT_NOTHING;
	/* pop %rbp */
	if (hotspot_bytes_are(code, 0x5d, 1))
		return HOTSPOT_POINTER;
	/* ja, behind the check of a return */
	if (hotspot_bytes_are(code, 0x870f, 2) &&
	    (hotspot_is_poll(before >> 8 * (8 - SHORT)) ||
	     hotspot_is_poll(before >> 8 * (8 - LONG))))
		return HOTSPOT_NOTHING;
	/* jmp, behind pop %rbp: an exception goes on to the caller */
	if (hotspot_bytes_are(code, 0xe9, 1) && before >> 56 == 0x5d)
		return HOTSPOT_NOTHING;
	if ((int64_t)offset >= (int64_t)complete)
		return HOTSPOT_WHOLE;
	if (hotspot_is_sub(code))
		return before >> 56 == 0x55 ? HOTSPOT_POINTER : HOTSPOT_NOTHING;
	/* mov %rsp, %rbp */
	if (hotspot_bytes_are(code, 0xec8b48, 3) ||
	    hotspot_bytes_are(code, 0xe58948, 3))
		return HOTSPOT_POINTER;
	/* mov %rbp, N(%rsp) */
	if (hotspot_bytes_are(code, 0x246c8948, 4) ||
	    hotspot_bytes_are(code, 0x24ac8948, 4))
		return HOTSPOT_UNSAVED;
	/* cmpl $N, N(%r15), and what is behind it */
	if (hotspot_is_check(code) || hotspot_is_check(before) ||
	    (hotspot_bytes_are(code, 0xe8, 1) && offset + CALL == complete))
		return HOTSPOT_WHOLE;
	return HOTSPOT_NOTHING;
}

/* What the interpreter has left to do when it returns from a method. */
enum hotspot_leaving {
	HOTSPOT_STAYS,
	HOTSPOT_POPS,	/* the return address is on the stack */
	HOTSPOT_MOVES,	/* it is in its register, the stack pointer is in one, too */
	HOTSPOT_JUMPS,	/* only the jump is left */
};

static NOINLINE uint64_t hotspot_leaving(uint64_t code)
{
	/* pop %r13 */
	if (hotspot_bytes_are(code, 0x5d41, 2))
		return HOTSPOT_POPS;
	/* mov %rbx, %rsp, in both forms */
	if (hotspot_bytes_are(code, 0xe38b48, 3) ||
	    hotspot_bytes_are(code, 0xdc8948, 3))
		return HOTSPOT_MOVES;
	/* jmp *%r13 */
	return hotspot_bytes_are(code, 0xe5ff41, 3) ? HOTSPOT_JUMPS
						    : HOTSPOT_STAYS;
}
