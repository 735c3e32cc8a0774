/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Steps: how the walk of a stack finds the frames of a runtime.
 *
 * The walk cannot know every language: each would be verified again whenever a
 * program with ustack() is loaded.  So it knows a small machine instead.  A
 * runtime's file in src/runtime/ writes steps (src/runtime/program.h), which are
 * data: words behind the constants in the block of a process.
 *
 * A step is one word: what to do, three registers, and a signed number:
 *
 *	bits 0-7 enum runtime_step; 8-15 a; 16-23 b; 24-31 c; 32-63 n
 *
 * Below, y is c + n.  In comparisons n is two numbers, a small one and where to
 * go: y is c + small.  Registers have 64 bits and are read and written as a
 * whole; numbers are unsigned unless a step says otherwise.
 *
 * 1. Steps come from us, never from a traced process; what they read is
 *    hostile.  Memory that cannot be read is 0, shifts are taken modulo 64, and
 *    a walk has a budget of steps, so nothing that is read can do harm.
 * 2. There are two programs.  RUNTIME_STEPS runs when a frame's code is in one of
 *    the runtime's ranges and says what the frame is (enum runtime_verdict).
 *    RUNTIME_FRAMES runs for RUNTIME_PLACE, when the caller is already known: it
 *    writes all frames that stand for the place, innermost first.
 */

enum runtime_step {
	DO_END,		/* the program ends; y: enum runtime_verdict */
	DO_ADD,		/* a = b + y */
	DO_SUBTRACT,		/* a = b - y */
	DO_AND,		/* a = b & y */
	DO_OR,
	DO_MULTIPLY,
	DO_LEFT, DO_RIGHT,	/* shifts */
	DO_RIGHT_SIGNED,
	DO_LOAD,		/* a = word of the process at b + y, or 0 */
	DO_READ,		/* c + 1 words at b + n become the piece; a: could they be read? */
	DO_PICK,		/* a = word at byte b + y of the piece */
	DO_CONSTANT,		/* a = word y of the block */
	DO_IF_BYTES,		/* a (1 to 4) lowest bytes of b are n, or the next step is left out */
	DO_CALL,		/* a = the place of the next step; go to n */
	DO_RETURN,		/* go to the place a */
	DO_PUT,		/* write the address b + y as a frame */
	DO_FRAME,		/* write a frame: b, a multiple of 8, describes it; y: where in it */
	DO_NOTE,		/* the word b + y will need a name */
	DO_MAPPED,		/* a: is there code of a file at b + y? */
	DO_STILL,		/* a: has the word at b + y not changed since? */
	DO_PARKED,		/* a: nor all of the stack up to the place's caller? */
	DO_BEGIN,		/* there are frames; REG_ANCHOR: see below */
	DO_LOOK,		/* user space should look at the process again */
	/* comparisons of b and y: if it is so, go to the place in n */
	DO_COMPARE = 128,
	DO_IF_EQUAL = DO_COMPARE, DO_IF_UNEQUAL, DO_IF_LESS, DO_IF_NOT_LESS,
};

/*
 * Registers.  The walk's own: where it is; only RUNTIME_STEPS may change them, and
 * only if it says RUNTIME_MOVED.
 */
enum runtime_register {
	REG_ZERO,		/* 0, whatever is written */
	REG_PC, REG_SP, REG_FP,
	REG_EXACT,		/* PC is no return address */
	REG_FIRST,		/* the thread was interrupted here: user registers are valid */
	REG_LOOP_SP,		/* RUNTIME_FRAMES: SP of the place; REG_SP is its caller's */
	REG_TOP,		/* SP of the thread */
	REG_THREAD,		/* thread pointer */
	/*
	 * An address on the loop's stack on which its frames hang, or 1; for
	 * DO_BEGIN
	 */
	REG_ANCHOR,
	REG_USER,		/* six of the thread's registers: ARCH_RUNTIME_REGISTERS */
	REG_KEPT = REG_USER + 6,	/* eight that are 0 when a stack begins and kept during it */
	REG_TEMP = REG_KEPT + 8,	/* eight for anything; unknown when a program begins */
	RUNTIME_REGISTERS = 32
};

enum runtime_verdict {
	RUNTIME_ORDINARY,	/* a frame as any other: its address, its row's rule */
	RUNTIME_MOVED,		/* frames are written; PC, SP, FP are the caller's */
	RUNTIME_STOP,		/* frames are written; there is no caller */
	RUNTIME_PLACE,		/* an interpreter's loop: RUNTIME_FRAMES in its place */
};

enum { RUNTIME_PIECE = 16 }; /* words that DO_READ reads at most */

/* The block of a process: words. */
enum runtime_word {
	RUNTIME_IS_THERE,	/* 1 */
	/* where the programs begin; RUNTIME_STEPS 0: all is RUNTIME_PLACE */
	RUNTIME_STEPS, RUNTIME_FRAMES,
	/*
	 * Objects of frames: which word tells who it is (another one may come to
	 * the same place), as an offset, or 0; which three point to what names
	 * it, in the first 256 bytes
	 */
	RUNTIME_IDENTITY,
	RUNTIME_POINTS,
	RUNTIME_RANGES = 8,	/* four pairs: code of the runtime, start and size */
	RUNTIME_OWN = 16,	/* constants */
	RUNTIME_PROGRAM = 64,
	RUNTIME_WORDS = 640
};
enum { RUNTIME_RANGES_MOST = 4 };

#define RUNTIME_STEP(what, a, b, c, n) \
	((uint64_t)(what) | (uint64_t)(a) << 8 | (uint64_t)(b) << 16 | \
	 (uint64_t)(c) << 24 | (uint64_t)(uint32_t)(n) << 32)
/* n of a comparison */
#define RUNTIME_BRANCH(place, small) \
	((uint32_t)(place) | (uint32_t)(small) << 16)
