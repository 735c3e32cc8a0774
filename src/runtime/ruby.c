/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CRuby 3.1: methods, blocks, files and lines.
 *
 * Its loop, vm_exec_core(), has no symbol; it is the largest function that
 * rb_vm_exec() calls.  What a thread executes is thread-local and leads to
 * its control frames, which lie in an array of their own, innermost first.  The
 * last one of a loop is marked.  Functions of C have control frames, too, but no
 * loop: they are shown with the loop that called them.
 *
 * Offsets are in the code of functions that every Ruby exports, which is read
 * (ruby_layout.c).
 *
 * 1. A frame's word points to a method entry, which knows the class, where that
 *    is the frame of a method; to the sequence of instructions where it is a
 *    block, a class's body, a file.  Ruby's own bits tell which of them it is.
 * 2. The detail is the number of the next instruction, from the start of the
 *    sequence: ruby_name.c finds the line.
 * 3. A control frame appears before its loop does, and goes before that has
 *    ended.  Both can be seen (write_steps), or else all frames would be shown
 *    with a loop that is not theirs.
 *
 * What YJIT and MJIT have compiled is no loop: its frames come out with the loop
 * that is outside of it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime/program.h"
#include "runtime/ruby.h"
#include "runtime/runtime.h"

static bool is_in(const char *file)
{
	if (!strncmp(file, "libruby", 7))
		return true;
	return !strncmp(file, "ruby", 4) &&
	       (!file[4] || (file[4] >= '0' && file[4] <= '9'));
}

/* Constants of the block. */
enum { MODULE_AT = RUNTIME_OWN, OFFSET };

enum {
	/* rb_execution_context_t: its stack, the size of that, the frame */
	CONTEXT_STACK = 0, CONTEXT_SIZE = 8, CONTEXT_FRAME = 16,
	CONTEXT_WORDS = 3,
	/* rb_control_frame_t */
	FRAME_PC = 0, FRAME_SEQUENCE = 16, FRAME_LOCALS = 32, FRAME_WORDS = 5,
	/* before its local variables: the method's entry, and marks */
	ENTRY_BEFORE = 16, LOCALS_WORDS = 3,
	/* what is first in tcbhead_t of the GNU C library, of what it points to */
	VECTOR = 8, VECTOR_SHIFT = 4, MODULES_MOST = 8192,
};

enum mark {
	MARK_NUMBER = 1,    /* always: they are a Fixnum */
	MARK_LAST = 0x20,   /* of its loop */
	MARK_OF_C = 0x80,
	/* in the upper half */
	KIND_METHOD = 0x1111, KIND_C_METHOD = 0x5555,
};

/*
 * The frame on top may have been put there before its loop has begun: none of its
 * instructions was executed, and the loop at hand is at a call.  The one that
 * a loop has just removed is still there when the loop was interrupted
 * then: it is at the instruction that the loop has in a register.
 */
static bool write_steps(uint64_t *block, const struct ruby *ruby)
{
	enum {
		AT_FRAME = KEPT(0),
		IS_KNOWN = KEPT(1),
		END_OF_STACK = KEPT(2),
		WAS_FIRST = KEPT(3),
		IS_TOP = KEPT(4),
		IT = TEMP(0),
		NEXT_PC = TEMP(1),
		SEQUENCE = TEMP(2),
		ENTRY = TEMP(3),
		MARKS = TEMP(4),
		KIND = TEMP(5),
		INDEX = TEMP(6),
		LOOP_PC = USER(5),
	};
	enum {
		ORDINARY,
		MODULE_KNOWN,
		KNOWN,
		NOT_REMOVED,
		SHOW,
		OF_C,
		BEGUN,
		NO_VARIABLES,
		PUT,
		NEXT,
		DONE,
	};
	const struct step steps[] = {
		PROGRAM(RUNTIME_STEPS),
		IF_EQUAL(FIRST, ZERO, 0, ORDINARY),
		SET(WAS_FIRST, 1),
		LABEL(ORDINARY),
		END(RUNTIME_PLACE),

		PROGRAM(RUNTIME_FRAMES),
		IF_UNEQUAL(IS_KNOWN, ZERO, 0, KNOWN),
		SET(IS_KNOWN, 1),
		/* the thread's own variables, of the file */
		SET(ENTRY, 1),
		CONSTANT(IT, MODULE_AT),
		IF_EQUAL(IT, ZERO, 0, MODULE_KNOWN),
		LOAD(ENTRY, IT, 0),
		LABEL(MODULE_KNOWN),
		IF_NOT_LESS(ENTRY, ZERO, MODULES_MOST, DONE),
		LEFT(ENTRY, ENTRY, ZERO, VECTOR_SHIFT),
		LOAD(IT, THREAD, VECTOR),
		ADD(IT, IT, ENTRY, 0),
		LOAD(IT, IT, 0),
		CONSTANT(ENTRY, OFFSET),
		ADD(IT, IT, ENTRY, 0),
		LOAD(IT, IT, 0),
		READ(KIND, IT, 0, CONTEXT_WORDS),
		IF_EQUAL(KIND, ZERO, 0, DONE),
		PICK(END_OF_STACK, CONTEXT_SIZE),
		LEFT(END_OF_STACK, END_OF_STACK, ZERO, 3),
		PICK(IT, CONTEXT_STACK),
		ADD(END_OF_STACK, END_OF_STACK, IT, 0),
		PICK(AT_FRAME, CONTEXT_FRAME),
		SET(IS_TOP, 1),
		IF_EQUAL(WAS_FIRST, ZERO, 0, KNOWN),
		LOAD(NEXT_PC, AT_FRAME, FRAME_PC),
		IF_EQUAL(NEXT_PC, LOOP_PC, 0, KNOWN),
		LOAD(NEXT_PC, AT_FRAME, FRAME_PC - ruby->frame_size),
		IF_UNEQUAL(NEXT_PC, LOOP_PC, 0, NOT_REMOVED),
		SUBTRACT(AT_FRAME, AT_FRAME, ZERO, ruby->frame_size),
		LABEL(NOT_REMOVED),

		LABEL(KNOWN),
		PARKED(IT),
		IF_EQUAL(IT, ZERO, 0, DONE),
		IF_NOT_LESS(AT_FRAME, END_OF_STACK, 0, DONE),
		SET(ANCHOR, 1),
		BEGIN_FRAMES,
		LABEL(SHOW),
		IF_NOT_LESS(AT_FRAME, END_OF_STACK, 0, DONE),
		READ(IT, AT_FRAME, 0, FRAME_WORDS),
		IF_EQUAL(IT, ZERO, 0, DONE),
		PICK(NEXT_PC, FRAME_PC),
		PICK(SEQUENCE, FRAME_SEQUENCE),
		PICK(IT, FRAME_LOCALS),
		READ(KIND, IT, -ENTRY_BEFORE, LOCALS_WORDS),
		IF_EQUAL(KIND, ZERO, 0, DONE),
		PICK(ENTRY, 0),
		PICK(MARKS, ENTRY_BEFORE),
		ADD(AT_FRAME, AT_FRAME, ZERO, ruby->frame_size),
		AND(IT, MARKS, ZERO, MARK_NUMBER),
		IF_EQUAL(IT, ZERO, 0, DONE),
		RIGHT(KIND, MARKS, ZERO, 16),
		AND(IT, MARKS, ZERO, MARK_OF_C),
		IF_UNEQUAL(IT, ZERO, 0, OF_C),
		IF_EQUAL(SEQUENCE, ZERO, 0, NEXT),
		LOAD(IT, SEQUENCE, RUBY_SEQUENCE_BODY),
		LOAD(IT, IT, RUBY_BODY_CODE),
		SUBTRACT(INDEX, NEXT_PC, IT, 0),
		RIGHT(INDEX, INDEX, ZERO, 3),
		IF_UNEQUAL(INDEX, ZERO, 0, BEGUN),
		IF_EQUAL(IS_TOP, ZERO, 0, BEGUN),
		IF_UNEQUAL(WAS_FIRST, ZERO, 0, BEGUN),
		AND(IT, MARKS, ZERO, MARK_LAST),
		IF_EQUAL(IT, ZERO, 0, BEGUN),
		SET(IS_TOP, 0),
		GO(SHOW),
		LABEL(OF_C),
		IF_UNEQUAL(KIND, ZERO, KIND_C_METHOD, NEXT),
		FRAME(ENTRY, ZERO, 0),
		GO(NEXT),
		LABEL(BEGUN),
		IF_UNEQUAL(KIND, ZERO, KIND_METHOD, PUT),
		/* Special variables may be between the frame and the entry. */
		LOAD(IT, ENTRY, 0),
		RIGHT(IT, IT, ZERO, RUBY_INTERNAL_SHIFT),
		AND(IT, IT, ZERO, RUBY_INTERNAL_MOST),
		IF_UNEQUAL(IT, ZERO, RUBY_VARIABLES, NO_VARIABLES),
		LOAD(ENTRY, ENTRY, RUBY_VARIABLES_ENTRY),
		LABEL(NO_VARIABLES),
		LOAD(IT, ENTRY, RUBY_ENTRY_DEFINITION),
		LOAD(IT, IT, RUBY_DEFINITION_SEQUENCE),
		IF_UNEQUAL(IT, SEQUENCE, 0, PUT),
		MOVE(SEQUENCE, ENTRY),
		LABEL(PUT),
		FRAME(SEQUENCE, INDEX, 0),
		LABEL(NEXT),
		SET(IS_TOP, 0),
		AND(IT, MARKS, ZERO, MARK_LAST),
		IF_EQUAL(IT, ZERO, 0, SHOW),
		LABEL(DONE),
		SET(WAS_FIRST, 0),
		END(RUNTIME_MOVED),
	};

	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}

static bool prepare(struct runtime_process *process,
		    const struct runtime_image *image, const char **why)
{
	struct ruby_places places;
	uint64_t *block = process->block;

	struct ruby *ruby = must_alloc(sizeof(*ruby));

	*ruby = (struct ruby){ 0 };
	process->own = ruby;
	if (!ruby_layout(process, image, ruby, &places, why))
		return false;
	runtime_range(image, &places.loop, block);
	block[RUNTIME_IDENTITY] = block[RUNTIME_POINTS] = RUBY_ENTRY_DEFINITION;
	block[RUNTIME_POINTS + 1] = RUBY_ENTRY_OWNER;
	block[MODULE_AT] = places.module_at;
	block[OFFSET] = places.offset;
	return write_steps(block, ruby);
}

static void free_ruby(struct runtime_process *process)
{
	free(process->own);
}

const struct runtime runtime_ruby = {
	.name = "ruby",
	.is_in = is_in,
	.prepare = prepare,
	.name_frame = ruby_name_frame,
	.free = free_ruby,
};
