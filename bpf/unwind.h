/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What the walk of a user stack (unwind.bpf.c) and its source (src/proc/) agree
 * on: the layout of one large piece of memory.
 *
 *   header	words, enum unwind_word: offsets in the kernel's structures
 *   layouts	table of {key, list}: which list of mappings a process has
 *   slots	stacks that could not be walked here, copied for user space
 *   rules	upper halves of rows that were found, by a hash of address,
 *		list and epoch, 32 bits of which are in the lower half
 *   seen	frames of runtimes that user space was asked about, by a hash
 *   questions	the last of those
 *   pool	lists of mappings and tables of files
 *
 * A layout is identified by numbers that the kernel keeps about an address
 * space and that /proc shows: where code and stack start, and how much is
 * mapped executable.  So a child has its parent's, and exec and dlopen create
 * another.  The kernel counts code that is writable as data, so a process may
 * have more than its list says: a walk that meets an address without a mapping
 * asks user space to look again.
 *
 * A list of mappings: its head, then words for each mapping, in order:
 * {start, end, bias, table}; address - bias is what its file's table knows.
 * table 0: nothing is known, frame pointers must do.  Where the process executes
 * a language of its own, LIST_RUNTIME is the place of a block of words about
 * that (bpf/runtime.h).
 *
 * A table of a file: {lowest address | number of buckets << 32, place of its
 * rows}, then for every BUCKET bytes of code a 32-bit number: the last row that
 * starts at or before the bucket; one more after the last.  Then rows of one
 * word:
 *
 *   bits 0-31	address
 *   bits 32-47	offset of the CFA, in units of 8, signed
 *   bits 48-51	enum row_kind
 *   bits 52-63	where the caller's frame pointer was saved, from the CFA,
 *		in units of 8, signed; 0: it still is in the register
 *
 * The caller's address is the word below the CFA (ARCH_RETURN_AT).  All places
 * are byte offsets in the whole memory.
 */

enum unwind_word {
	/* offsets in the kernel's structures */
	UNWIND_TASK_MM, UNWIND_TASK_UTASK,
	UNWIND_START_CODE, UNWIND_END_CODE, UNWIND_START_STACK, UNWIND_EXEC_VM,
	UNWIND_MM_UPROBES,
	UNWIND_XOL_AREA, UNWIND_TRAMPOLINES,	/* in struct uprobes_state */
	UNWIND_XOL_START, UNWIND_TRAMPOLINE_START,
	/* in struct uprobe_task */
	UNWIND_INSTANCES, UNWIND_XOL_SLOT, UNWIND_PROBED, UNWIND_ACTIVE,
	UNWIND_HANDLED, UNWIND_USED,
	UNWIND_INSTANCE_STACK, UNWIND_INSTANCE_RETURN, UNWIND_INSTANCE_NEXT,
	UNWIND_EPOCH,		/* changes when the pool is emptied */
	UNWIND_LAST_ID,		/* of slots; atomic */
	UNWIND_TASK_THREAD,	/* the thread pointer, in task_struct */
	UNWIND_ASKED,		/* number of questions so far; atomic */
	UNWIND_EMPTY = 56,	/* a list without mappings */
	UNWIND_WORDS = 64
};

enum {
	UNWIND_LAYOUTS = 2048, UNWIND_LAYOUT_SHIFT = 64 - 11,
	UNWIND_TRIES = 4,
	UNWIND_NOTHING = UNWIND_EMPTY * 8,	/* where nothing is known */
	UNWIND_LAYOUTS_AT = UNWIND_WORDS * 8,
	UNWIND_SLOTS = 64,
	UNWIND_SLOTS_AT = UNWIND_LAYOUTS_AT + (UNWIND_LAYOUTS + 8) * 16,
	UNWIND_COPY = 32768,	/* bytes of stack in a slot */
	UNWIND_PARTS = 8,	/* slots of one stack, at most */
	UNWIND_PART_FRAMES = 128,	/* one more slot for this many frames */
	UNWIND_SLOT_HEAD = 1536,
	UNWIND_LANGUAGE = 1024,	/* bytes of frames of a runtime, in the head */
	UNWIND_SLOT_SIZE = UNWIND_SLOT_HEAD + UNWIND_COPY,
	UNWIND_RULES_AT = UNWIND_SLOTS_AT + UNWIND_SLOTS * UNWIND_SLOT_SIZE,
	UNWIND_RULES = 4096, UNWIND_RULE_SHIFT = 64 - 12,
	/* frames of runtimes that were seen, and what is to be named */
	UNWIND_SEEN_AT = UNWIND_RULES_AT + UNWIND_RULES * 8,
	UNWIND_SEEN = 8192, UNWIND_SEEN_SHIFT = 64 - 13,
	UNWIND_QUESTIONS_AT = UNWIND_SEEN_AT + UNWIND_SEEN * 8,
	UNWIND_QUESTIONS = 256, UNWIND_QUESTION_SIZE = 2048,
	UNWIND_POOL_AT = UNWIND_QUESTIONS_AT +
			 UNWIND_QUESTIONS * UNWIND_QUESTION_SIZE,
	/* all of it: at least, at most */
	UNWIND_LEAST = UNWIND_POOL_AT + (1 << 20), UNWIND_MOST = 256 << 20,
	UNWIND_BUCKET_SHIFT = 8,
	UNWIND_INSTANCE_MOST = 16,
};

/* Names of layouts; never 0. */
#define UNWIND_FACTOR 0x9e3779b97f4a7c15ull
#define UNWIND_LAYOUT(start_code, end_code, start_stack) \
	(((((start_code) * UNWIND_FACTOR ^ (end_code)) * UNWIND_FACTOR) ^ \
	  (start_stack)) * UNWIND_FACTOR | 1)
#define UNWIND_EXACT(layout, exec_pages) \
	(((layout) ^ (exec_pages) << 1) * UNWIND_FACTOR | 1)

enum {
	UNWIND_STATE = 768 + UNWIND_LANGUAGE
}; /* bytes of memory for the walk itself */

enum unwind_slot {
	/* 0 free, 1 being written or part of another, 2 full */
	SLOT_STATE,
	SLOT_ID, SLOT_PID, SLOT_LAYOUT, SLOT_EXACT,
	SLOT_PC, SLOT_SP, SLOT_FP,
	SLOT_LENGTH,		/* bytes copied, from SLOT_FROM on */
	SLOT_CAP,		/* of the memory that the frames are for */
	SLOT_TIME,		/* CLOCK_MONOTONIC, ns */
	SLOT_MORE,		/* number of the slot with what follows, or 0 */
	SLOT_CODE,		/* at PC */
	SLOT_CALL,		/* before what the stack's first word points to */
	SLOT_FROM,		/* SP, or a little below it */
	SLOT_THREAD,		/* thread pointer */
	SLOT_INSTANCES = 16,	/* pairs {stack, return address}, 0 ends */
	SLOT_REGISTERS = 48,	/* the six of ARCH_RUNTIME_0 ... */
	SLOT_TID = 54,
	/*
	 * For each loop of an interpreter, innermost first, an address on its
	 * stack (1: it has none), then its frames; 0 ends
	 */
	SLOT_LANGUAGE = 64,
};

/*
 * A frame of a runtime that is new: its pointer's object is copied, and what
 * some words of that point to, so that it can be named whatever becomes of the
 * process.
 */
enum unwind_question {
	QUESTION_NUMBER,	/* from 1; written last */
	QUESTION_PID, QUESTION_FRAME,
	QUESTION_PLACES = 4,	/* addresses of the copies; 0: there is none */
	QUESTION_PIECES = 4,
	QUESTION_HEAD = 64,	/* bytes; the copies follow */
};
/* Where the copies are, in bytes; the last one is the end. */
#define QUESTION_AT(n) \
	((n) == 0   ? QUESTION_HEAD \
	 : (n) == 1 ? 320 \
	 : (n) == 2 ? 480 \
	 : (n) == 3 ? 688 \
		    : UNWIND_QUESTION_SIZE)

enum row_kind {
	ROW_NONE,	/* no rule: frame pointers */
	ROW_SP,		/* CFA = stack pointer + offset */
	ROW_FP,		/* CFA = frame pointer + offset */
	ROW_END,	/* nobody called this */
	ROW_PLT,	/* CFA = walk_linkage_cfa() */
	ROW_SIGNAL,	/* all registers are in the signal's frame on the stack */
	ROW_LOAD,	/* CFA = word at frame pointer + offset */
	ROW_UNKNOWN,	/* a rule that is not one of these */
};

enum unwind_list {
	LIST_COUNT, LIST_FLAGS,
	LIST_LOOKED_AT,		/* ns: when that was last done or asked for */
	LIST_RUNTIME,		/* place of its block, or 0 */
	LIST_HEAD = 4
};
/* flags: code comes and goes in the process, so frequent looks are useless */
enum { LIST_CHANGES = 1 };
#define UNWIND_PATIENCE 250000000 /* ns between two looks */

/*
 * A frame of a runtime (bpf/runtime.h) is one word, as all are, and never an
 * address: bit 63 is set and bit 62 is not.  It has a pointer to what describes
 * the function, a multiple of 8 below 2^47, and in the bits between a number
 * that says where in it: an index of an instruction, a line.
 */
enum { RUNTIME_DETAIL_MOST = (1 << 18) - 1, RUNTIME_POINTER_BITS = 44 };
#define RUNTIME_FRAME(pointer, detail) \
	(1ull << 63 | (uint64_t)(detail) << RUNTIME_POINTER_BITS | \
	 ((uint64_t)(pointer) >> 3 & ((1ull << RUNTIME_POINTER_BITS) - 1)))
#define RUNTIME_IS_FRAME(word) ((uint64_t)(word) >> 62 == 2)
#define RUNTIME_POINTER(word) \
	(((uint64_t)(word) & ((1ull << RUNTIME_POINTER_BITS) - 1)) << 3)
#define RUNTIME_DETAIL(word) \
	((uint64_t)(word) >> RUNTIME_POINTER_BITS & RUNTIME_DETAIL_MOST)

/*
 * The first word of a user's stack: the process, and in the upper half what
 * became of the walk.
 */
enum unwind_status {
	STACK_WHOLE,
	STACK_UNREADABLE,	/* the stack could not be read */
	STACK_NO_RULE,		/* no rule for the last frame's code */
	STACK_LOST,		/* the last return address is not code */
	STACK_BUSY,		/* nothing was known, and no slot was free */
	STACK_FULL,		/* there are more frames than there is room */
	STACK_NARROW,		/* 32-bit code: only where it is */
	STACK_PENDING,		/* the next word is the number of a slot */
};
#define STACK_STATUS(word) ((uint32_t)((uint64_t)(word) >> 32))

/* What a program wants from the walk, and knows; besides the process. */
enum unwind_flags {
	UNWIND_NOW = 1 << 28,		/* it cannot be deferred */
	UNWIND_COUNT = 1 << 29,		/* frames beyond the memory are only counted */
	UNWIND_IN_KERNEL = 1 << 30,	/* the kernel was interrupted */
};
#define UNWIND_PROCESS(word) ((word) & (UNWIND_NOW - 1))
enum { UNWIND_FRAMES = 1023 }; /* the most that are counted or stored */

/* Result of the walk: number of frames, and whether user space must look. */
#define UNWIND_WANTS_LOOK (1ull << 32)
