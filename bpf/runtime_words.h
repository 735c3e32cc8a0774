/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The block of a runtime (runtime.h): words that its file in src/runtime/ fills
 * and its part of the walk reads.  Those from RUNTIME_OWN on have a meaning for
 * each kind.
 */

enum runtime_kind {
	RUNTIME_NONE, RUNTIME_CPYTHON, RUNTIME_PHP, RUNTIME_HOTSPOT,
	RUNTIME_GO,
};

enum runtime_word {
	RUNTIME_KIND,
	RUNTIME_CODE, RUNTIME_CODE_SIZE,	/* in the process */
	RUNTIME_COLD, RUNTIME_COLD_SIZE,	/* more of it, or 0 */
	/*
	 * Objects of frames: which words tell who it is (another one may come to
	 * the same place), as offsets; which point to what names it, in
	 * the first 256 bytes
	 */
	RUNTIME_IDENTITY,
	RUNTIME_POINTS,	/* three of them */
	RUNTIME_OWN = 12,
	RUNTIME_WORDS = 64
};

/* How frames of Python are linked, and where a C frame's begin. */
enum cpython_form {
	/* until 3.10: one loop is one frame, in the thread's state */
	CPYTHON_SINGLE,
	/* 3.11: a struct on the loop's stack; the first frame is marked */
	CPYTHON_MARKED,
	/* 3.12: the same; one more frame, on the stack, ends them */
	CPYTHON_ENDED,
	/* since 3.13: that, but in the thread's state */
	CPYTHON_LINKED,
};

enum cpython_word {
	CPYTHON_FORM = RUNTIME_OWN,
	CPYTHON_KEY,		/* address of the key of thread-specific data */
	CPYTHON_SPECIFIC,	/* those data, from the thread pointer */
	CPYTHON_TOP,		/* in the thread's state: struct or frame */
	CPYTHON_CURRENT,	/* in the struct: frame, and then the next */
	CPYTHON_CODE, CPYTHON_PREVIOUS, CPYTHON_INSTRUCTION,	/* in a frame */
	CPYTHON_MARK,		/* a byte of a frame */
	CPYTHON_FIRST,		/* instruction, in the code object */
	CPYTHON_UNITS,		/* shift from its number to that of bytecodes */
};

/* All code is in [RUNTIME_CODE, ...): the code cache. */
enum hotspot_word {
	HOTSPOT_IS_EARLY = RUNTIME_OWN, /* it is not there yet */
	HOTSPOT_INTERPRETER, HOTSPOT_INTERPRETER_SIZE,
	HOTSPOT_SHIFT,		/* from bytes to segments */
	HOTSPOT_HEADER,		/* bytes before a piece of code */
	/* in its header: frame size, where the frame is complete, first byte */
	HOTSPOT_FRAME, HOTSPOT_COMPLETE, HOTSPOT_COMPLETE_SIZE,
	HOTSPOT_CODE, HOTSPOT_CODE_IS_OFFSET,
	/*
	 * An interpreted frame: bytes from its lowest slot to the frame
	 * pointer, and the others from there.
	 */
	HOTSPOT_SLOTS, HOTSPOT_SLOT_METHOD, HOTSPOT_SLOT_BYTECODE,
	HOTSPOT_SLOT_SENDER,
	HOTSPOT_CONST,		/* in a method: its constant part */
	HOTSPOT_CONST_SIZE,	/* bytes of that before the bytecode */
	HOTSPOT_HEAPS_AT = 32,	/* {start, size, bytes of segments} */
	HOTSPOT_HEAPS_MOST = 4
};

enum php_word {
	PHP_CURRENT = RUNTIME_OWN,	/* address of the pointer to the frame */
	PHP_FUNCTION, PHP_MARKS, PHP_PREVIOUS,	/* in a frame */
	PHP_LINE,			/* in an instruction */
};
