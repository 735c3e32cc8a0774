/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Programs of a runtime for the walk of stacks (bpf/runtime_steps.h), written as
 * tables of steps:
 *
 *	enum { NEXT, DONE };
 *	const struct step steps[] = {
 *		PROGRAM(RUNTIME_FRAMES),
 *		LOAD(FRAME, ZERO, current),
 *		BEGIN_FRAMES,
 *		LABEL(NEXT),
 *		IF_EQUAL(FRAME, ZERO, 0, DONE),
 *		LOAD(CODE, FRAME, layout->code),
 *		FRAME(CODE, ZERO, 0),
 *		LOAD(FRAME, FRAME, layout->previous),
 *		GO(NEXT),
 *		LABEL(DONE),
 *		END(RUNTIME_ORDINARY),
 *	};
 *
 * Registers have the names of enum runtime_register without REG_; KEPT(n) and
 * TEMP(n) get names by #define or enum in the runtime's file.  Numbers come from
 * the process, so they are checked: a program with one that does not fit is
 * refused.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/runtime_steps.h"

struct step {
	uint8_t what, a, b, c;
	uint8_t special; /* enum step_special */
	int64_t n;
	int32_t small;
};

enum step_special {
	STEP_PLAIN,
	STEP_BRANCH,	/* n is a label, small the number */
	STEP_LABEL,	/* n is its number: no step */
	STEP_GO,	/* n is a label */
	STEP_ENTRY,	/* a program begins; n: enum runtime_word */
	STEP_PATTERN,	/* n is 32 bits without sign */
};

enum {
	ZERO = REG_ZERO, PC = REG_PC, SP = REG_SP, FP = REG_FP,
	EXACT = REG_EXACT, FIRST = REG_FIRST, LOOP_SP = REG_LOOP_SP,
	TOP = REG_TOP, THREAD = REG_THREAD, ANCHOR = REG_ANCHOR,
};
#define USER(n) (REG_USER + (n))
#define KEPT(n) (REG_KEPT + (n))
#define TEMP(n) (REG_TEMP + (n))

#define PROGRAM(which) { .special = STEP_ENTRY, .n = (which) }
#define LABEL(label) { .special = STEP_LABEL, .n = (label) }
#define PLAIN_(what_, a_, b_, c_, n_) \
	{ .what = (what_), .a = (a_), .b = (b_), .c = (c_), .n = (int64_t)(n_) }
#define BRANCH_(what_, b_, c_, small_, label) \
	{ .what = (what_), .b = (b_), .c = (c_), .special = STEP_BRANCH, \
	  .n = (label), .small = (small_) }

/* a = b + (c + n), and the like */
#define ADD(a, b, c, n) PLAIN_(DO_ADD, a, b, c, n)
#define SUBTRACT(a, b, c, n) PLAIN_(DO_SUBTRACT, a, b, c, n)
#define AND(a, b, c, n) PLAIN_(DO_AND, a, b, c, n)
#define OR(a, b, c, n) PLAIN_(DO_OR, a, b, c, n)
#define MULTIPLY(a, b, c, n) PLAIN_(DO_MULTIPLY, a, b, c, n)
#define LEFT(a, b, c, n) PLAIN_(DO_LEFT, a, b, c, n)
#define RIGHT(a, b, c, n) PLAIN_(DO_RIGHT, a, b, c, n)
#define RIGHT_SIGNED(a, b, c, n) PLAIN_(DO_RIGHT_SIGNED, a, b, c, n)
#define MOVE(a, b) PLAIN_(DO_ADD, a, b, ZERO, 0)
#define SET(a, n) PLAIN_(DO_ADD, a, ZERO, ZERO, n)
/* a = word n of the block: a number of 64 bits */
#define CONSTANT(a, n) PLAIN_(DO_CONSTANT, a, ZERO, ZERO, n)
/* a = word of the process at b + n; 0: it cannot be read */
#define LOAD(a, b, n) PLAIN_(DO_LOAD, a, b, ZERO, n)
/* Up to RUNTIME_PIECE words at b + n at once, which is cheaper; a: 1 or 0 */
#define READ(a, b, n, words) PLAIN_(DO_READ, a, b, (words) - 1, n)
#define PICK(a, n) PLAIN_(DO_PICK, a, ZERO, ZERO, n)
#define IF_EQUAL(b, c, n, label) BRANCH_(DO_IF_EQUAL, b, c, n, label)
#define IF_UNEQUAL(b, c, n, label) BRANCH_(DO_IF_UNEQUAL, b, c, n, label)
#define IF_LESS(b, c, n, label) BRANCH_(DO_IF_LESS, b, c, n, label)
#define IF_NOT_LESS(b, c, n, label) BRANCH_(DO_IF_NOT_LESS, b, c, n, label)
/* The next step only if these are the first (1 to 4) bytes of b, from memory. */
#define IF_BYTES(b_, count, bytes) \
	{ .what = DO_IF_BYTES, .a = (count), .b = (b_), \
	  .special = STEP_PATTERN, .n = (bytes) }
#define GO(label) { .what = DO_CALL, .special = STEP_GO, .n = (label) }
#define CALL(a_, label) \
	{ .what = DO_CALL, .a = (a_), .special = STEP_GO, .n = (label) }
#define RETURN(a) PLAIN_(DO_RETURN, a, ZERO, ZERO, 0)
#define PUT(b, n) PLAIN_(DO_PUT, ZERO, b, ZERO, n)
#define FRAME(b, c, n) PLAIN_(DO_FRAME, ZERO, b, c, n)
#define NOTE(b, n) PLAIN_(DO_NOTE, ZERO, b, ZERO, n)
#define MAPPED(a, b, n) PLAIN_(DO_MAPPED, a, b, ZERO, n)
#define STILL(a, b, n) PLAIN_(DO_STILL, a, b, ZERO, n)
#define PARKED(a) PLAIN_(DO_PARKED, a, ZERO, ZERO, 0)
#define BEGIN_FRAMES PLAIN_(DO_BEGIN, ZERO, ZERO, ZERO, 0)
#define LOOK PLAIN_(DO_LOOK, ZERO, ZERO, ZERO, 0)
#define END(verdict) PLAIN_(DO_END, ZERO, ZERO, ZERO, verdict)

/*
 * Writes steps into the block, behind those that are there; false: they do not
 * fit, or a number of theirs does not.  Labels are small numbers of their own for
 * each call.
 */
bool program_add(uint64_t *block, const struct step *steps, size_t count);
