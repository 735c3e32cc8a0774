/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What HotSpot's compilers and its interpreter write at the start and the end of
 * methods:
 *
 *	mov %eax, -N(%rsp); push %rbp; sub $N, %rsp
 *	cmpl $N, N(%r15); jne, or je and call
 *	sub $N, %rsp; mov %rbp, N(%rsp)
 *	add $N, %rsp; pop %rbp; cmp N(%r15), %rsp; ja; ret
 *	pop %r13; mov %rbx, %rsp; jmp *%r13
 */
#include "arch/arch.h"

#define ANYWHERE .where = ARCH_JAVA_ANYWHERE
#define BEGINNING .where = ARCH_JAVA_BEGINNING
#define INTERPRETER .where = ARCH_JAVA_INTERPRETER
#define IS(size, value) .count = (size), .bytes = (value)
#define BEHIND(size, value, distance) \
	.count_before = (size), .bytes_before = (value), .before = (distance)

/* cmp N(%r15), %rsp: is the thread to stop on its return?  N of 1, 4 bytes */
enum { POLL = 0x673b49, POLL_LONG = 0xa73b49, POLL_SIZE = 4, LONG_SIZE = 7 };
/* cmpl $N, N(%r15): may this code still be executed? */
enum { CHECK = 0x7f8141, CHECK_SIZE = 8, CALL_SIZE = 5 };
enum { PUSH = 0x55, POP = 0x5d, JA = 0x870f };

const struct arch_java_pattern arch_java_patterns[] = {
	/* ret */
	{ ANYWHERE, ARCH_JAVA_NOTHING, IS(1, 0xc3) },
	{ ANYWHERE, ARCH_JAVA_NOTHING, IS(3, POLL) },
	{ ANYWHERE, ARCH_JAVA_NOTHING, IS(3, POLL_LONG) },
	{ ANYWHERE, ARCH_JAVA_POINTER, IS(1, POP) },
	{ ANYWHERE, ARCH_JAVA_NOTHING, IS(2, JA), BEHIND(3, POLL, POLL_SIZE) },
	{ ANYWHERE, ARCH_JAVA_NOTHING, IS(2, JA),
	  BEHIND(3, POLL_LONG, LONG_SIZE) },
	/* jmp: an exception goes on to the caller */
	{ ANYWHERE, ARCH_JAVA_NOTHING, IS(1, 0xe9), BEHIND(1, POP, 1) },
	/* sub $N, %rsp */
	{ BEGINNING, ARCH_JAVA_POINTER, IS(3, 0xec8348), BEHIND(1, PUSH, 1) },
	{ BEGINNING, ARCH_JAVA_POINTER, IS(3, 0xec8148), BEHIND(1, PUSH, 1) },
	/* mov %rsp, %rbp */
	{ BEGINNING, ARCH_JAVA_POINTER, IS(3, 0xec8b48) },
	{ BEGINNING, ARCH_JAVA_POINTER, IS(3, 0xe58948) },
	/* mov %rbp, N(%rsp) */
	{ BEGINNING, ARCH_JAVA_UNSAVED, IS(4, 0x246c8948) },
	{ BEGINNING, ARCH_JAVA_UNSAVED, IS(4, 0x24ac8948) },
	{ BEGINNING, ARCH_JAVA_WHOLE, IS(3, CHECK) },
	{ BEGINNING, ARCH_JAVA_WHOLE, BEHIND(3, CHECK, CHECK_SIZE) },
	{ BEGINNING, ARCH_JAVA_WHOLE, IS(1, 0xe8), .left = CALL_SIZE },
	/* pop %r13; mov %rbx, %rsp, in both forms; jmp *%r13 */
	{ INTERPRETER, ARCH_JAVA_POPS, IS(2, 0x5d41) },
	{ INTERPRETER, ARCH_JAVA_MOVES, IS(3, 0xe38b48) },
	{ INTERPRETER, ARCH_JAVA_MOVES, IS(3, 0xdc8948) },
	{ INTERPRETER, ARCH_JAVA_JUMPS, IS(3, 0xe5ff41) },
};
const size_t arch_java_npatterns = sizeof(arch_java_patterns) /
				   sizeof(*arch_java_patterns);
