/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of a Java virtual machine: code that it has interpreted or compiled,
 * which has frame pointers only now and then.
 *
 * All of it is in the code cache.  A byte for each of its segments leads to the
 * header of the piece of code that has an address, and that says how large its
 * frames are.  Below the return address is the caller's frame pointer, which may
 * be any number: compiled code computes with that register.  Such a frame is one
 * word, its address; user space knows what was inlined there.
 *
 * Interpreted methods have frame pointers; at fixed places from there are the
 * method, the place in its bytecode and the caller's stack pointer.  Such a
 * frame is the method and the index of the bytecode.
 *
 * Pieces without a frame size are stubs: frame pointers must do, as for all code
 * that nothing is known of.
 *
 * A thread that was interrupted may be where its frame is not complete: at the
 * start or the end of a method, or on the way from one kind of code to the
 * other.  The instruction shows which (arch_java_patterns), or the registers.
 *
 * 1. A stack has one first frame and many others, and each step takes time.  So
 *    the others come first here, and what they need again and again is kept in
 *    registers.  A compiled one is 19 steps, and for some seconds none, an
 *    interpreted one at most 17.
 * 2. The program is written when the code cache is known, so its places are in
 *    the steps: no heap that is not there is asked for.
 */
#include "runtime/hotspot_walk.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "runtime/program.h"

enum { WORD = 8, FREE = 255, FRAME_MOST = 1 << 18 };
/* A frame size (-1) of that many words, which cannot be: see write_frameless() */
enum { NO_FRAME = INT32_MAX };

/* -------------------------------------------------------------- the layout */

static bool read_place(const struct hotspot_vm *vm, enum hotspot_field field,
		       uint64_t *at)
{
	enum { HEADER_MOST = 4096 };
	const struct hotspot_place *place = &vm->fields[field];

	*at = place->at;
	return !place->is_static && place->at < HEADER_MOST;
}

/*
 * Slots of an interpreted frame: the two that are described, and below them
 * method, mirror, data, cache, locals, bytecode.
 */
static bool read_slots(const struct hotspot_vm *vm,
		       struct hotspot_layout *layout)
{
	enum { METHOD = -1, BYTECODE = -6, SLOTS = 10 };
	int64_t sender = vm->constants[HOTSPOT_CONSTANT_sender_sp];
	int64_t last = vm->constants[HOTSPOT_CONSTANT_last_sp];

	layout->lowest = last + BYTECODE;
	layout->method = last + METHOD;
	layout->bytecode = last + BYTECODE;
	layout->sender = sender;
	return sender < 0 && sender >= layout->lowest &&
	       layout->lowest + SLOTS >= 2 && layout->method < 0;
}

bool hotspot_layout_read(const struct hotspot_vm *vm,
			 struct hotspot_layout *layout)
{
	enum hotspot_field code = hotspot_has(vm, HOTSPOT_blob_code_offset)
					  ? HOTSPOT_blob_code_offset
					  : HOTSPOT_blob_code;

	*layout = (struct hotspot_layout){
		.is_code_offset = code == HOTSPOT_blob_code_offset,
		.complete_size = vm->fields[HOTSPOT_blob_complete].size,
		.header = vm->sizes[HOTSPOT_SIZE_block],
		.constant_size = vm->sizes[HOTSPOT_SIZE_const_method],
	};
	return read_slots(vm, layout) && hotspot_has(vm, code) &&
	       read_place(vm, code, &layout->code) &&
	       read_place(vm, HOTSPOT_blob_frame, &layout->frame) &&
	       read_place(vm, HOTSPOT_blob_complete, &layout->complete) &&
	       read_place(vm, HOTSPOT_method_const, &layout->constant) &&
	       vm->fields[HOTSPOT_blob_frame].size == 4 &&
	       (layout->complete_size == 2 || layout->complete_size == 4);
}

/* ------------------------------------------------------------- the program */

/* Constants in the block. */
enum {
	AT_INTERPRETER = RUNTIME_OWN, AT_INTERPRETER_SIZE, AT_TOP,
	AT_HEAPS, /* {start, bytes of segments}, from the top */
	AT_END = AT_HEAPS + 2 * HOTSPOT_HEAPS
};

enum {
	IS_SET = KEPT(0),
	/* from here on all is compiled code; its bytes of segments */
	TOP_CODE = KEPT(1), TOP_MAP = KEPT(2),
	INTERPRETER = KEPT(3), INTERPRETER_SIZE = KEPT(4),
	MOST = KEPT(5),	/* bytes of a frame */
	SEGMENT = TEMP(0), VALUE = TEMP(1), MAP = TEMP(2), SIZE = TEMP(3),
	BACK = TEMP(7),
	/* an interpreted frame */
	NEXT = TEMP(0), METHOD = TEMP(2), INDEX = TEMP(3), CONST = TEMP(4),
	/* where a compiled method is; what is tried then */
	PIECE = TEMP(2), CODE = TEMP(4), BEFORE = TEMP(5), LEFT_OVER = TEMP(6),
	IS_UNSAVED = TEMP(4), BYTES = TEMP(5),
	/* a method is entered or left */
	IS_INSIDE = TEMP(3), RETURN_TO = TEMP(5), AT = TEMP(6),
	/* the thread's */
	ENTERED = USER(ARCH_JAVA_METHOD), SENDER = USER(ARCH_JAVA_METHOD),
	BYTECODE = USER(ARCH_JAVA_BYTECODE), CALLER = USER(ARCH_JAVA_BYTECODE),
	RETURN_REGISTER = USER(ARCH_JAVA_RETURN),
};

enum {
	KNOWN = 1, ON_TOP, FOUND, INTERPRETED, UNKNOWN, ODD, SLOW,
	HOP_TOP, HOP, HOP_FIRST, FIRST_HEAPS, OTHER_HEAPS,
	STUB, BARRIER, TRIES, TRY, TRY_NO, TRY_YES, MOVED, FIRST_INSIDE,
	FIRST_STUB, ENTRY, IN_REGISTER, HAS_RETURN, AT_CALLER,
	HAS_CALLER, STUB_ENTERED, GO_TO_CALLER, LEAVES, LEFT_FOR, LEFT_TO,
	FIRST_FRAME, FIRST_KNOWN,
	IS = 40, /* + enum arch_java_frame */
	MORE = 64, GO_ON = 128, /* + pattern */
};

struct program {
	struct step steps[RUNTIME_WORDS];
	size_t count;
	const struct hotspot_layout *layout;
	const struct hotspot_code *code;
	bool is_interpreter_on_top;
};

static void append(struct program *program, const struct step *steps,
		   size_t count)
{
	for (size_t i = 0; i < count && program->count < RUNTIME_WORDS; i++)
		program->steps[program->count++] = steps[i];
}

#define STEPS(program, ...) \
	append(program, (const struct step[]){ __VA_ARGS__ }, \
	       sizeof((const struct step[]){ __VA_ARGS__ }) / \
		       sizeof(struct step))

/*
 * The segment where the piece of code begins that has PC.  The first byte is less
 * than 255 where there is code, and mostly one step back is enough.
 */
static void find_segment(struct program *program, uint8_t map, int hop)
{
	STEPS(program, RIGHT(SEGMENT, PC, ZERO, program->code->shift),
	      LOAD_AT(VALUE, SEGMENT, map, 0), AND(VALUE, VALUE, ZERO, 0xff),
	      IF_EQUAL(VALUE, ZERO, FREE, UNKNOWN),
	      SUBTRACT(SEGMENT, SEGMENT, VALUE, 0), LABEL(hop),
	      LOAD_AT(VALUE, SEGMENT, map, 0), AND(VALUE, VALUE, ZERO, 0xff),
	      SUBTRACT(SEGMENT, SEGMENT, VALUE, 0),
	      IF_UNEQUAL(VALUE, ZERO, 0, hop));
}

/* The heap that has PC, which is in one of them: MAP; goes on at the label. */
static void find_heap(struct program *program, unsigned first, int label)
{
	unsigned last = program->code->nheaps - 1;

	for (unsigned i = first; i < last; i++)
		STEPS(program, CONSTANT(VALUE, AT_HEAPS + 2 * i),
		      CONSTANT(MAP, AT_HEAPS + 2 * i + 1),
		      IF_NOT_LESS(PC, VALUE, 0, label));
	STEPS(program, CONSTANT(MAP, AT_HEAPS + 2 * last + 1), LABEL(label));
}

/* PIECE and SIZE of the segment, which is not needed any more. */
static void read_size(struct program *program, int is_stub)
{
	const struct hotspot_layout *layout = program->layout;

	STEPS(program, LEFT(PIECE, SEGMENT, ZERO, program->code->shift),
	      LOAD(SIZE, PIECE, layout->header + layout->frame),
	      AND(SIZE, SIZE, ZERO, NO_FRAME), LEFT(SIZE, SIZE, ZERO, 3),
	      IF_EQUAL(SIZE, ZERO, 0, is_stub));
}

/*
 * All of an interpreted frame.  If it cannot be read, or is none, the caller's
 * stack pointer is not as it should be, too.
 */
static void read_frame(struct program *program)
{
	enum { ABOVE = 2 }; /* the caller's frame pointer, the return address */
	const struct hotspot_layout *layout = program->layout;
	int64_t lowest = layout->lowest;

	STEPS(program,
	      READ(VALUE, FP, lowest * WORD, (uint8_t)(ABOVE - lowest)),
	      PICK(METHOD, (layout->method - lowest) * WORD),
	      PICK(INDEX, (layout->bytecode - lowest) * WORD),
	      PICK(NEXT, (layout->sender - lowest) * WORD),
	      LOAD(CONST, METHOD, layout->constant),
	      SUBTRACT(VALUE, NEXT, SP, 0),
	      IF_NOT_LESS(VALUE, MOST, 0, UNKNOWN),
	      SUBTRACT(INDEX, INDEX, CONST, layout->constant_size));
}

static void leave_frame(struct program *program)
{
	int64_t lowest = program->layout->lowest;

	STEPS(program, MOVE(SP, NEXT), PICK(FP, -lowest * WORD),
	      PICK(PC, (1 - lowest) * WORD), FRAME(METHOD, INDEX, 0),
	      END(RUNTIME_MOVED));
}

/* Any frame but a first one. */
static void write_others(struct program *program)
{
	STEPS(program, PROGRAM(RUNTIME_STEPS),
	      /* 0 and 1: it is not the first, and registers are set */
	      IF_UNEQUAL(FIRST, IS_SET, -1, SLOW), LABEL(KNOWN));
	if (!program->is_interpreter_on_top)
		STEPS(program, IF_NOT_LESS(PC, TOP_CODE, 0, ON_TOP));
	STEPS(program, SUBTRACT(VALUE, PC, INTERPRETER, 0),
	      IF_LESS(VALUE, INTERPRETER_SIZE, 0, INTERPRETED));
	bool has_top = !program->is_interpreter_on_top &&
		       program->code->nheaps > 1;

	find_heap(program, has_top, OTHER_HEAPS);
	find_segment(program, MAP, HOP);
	STEPS(program, GO(FOUND), LABEL(ON_TOP));
	find_segment(program, TOP_MAP, HOP_TOP);
	STEPS(program, LABEL(FOUND));
	read_size(program, STUB);
	STEPS(program, IF_NOT_LESS(SIZE, MOST, 0, ODD), RULE(SIZE, 0),
	      NOTE_AT(PC, EXACT, -1), END(RUNTIME_ORDINARY),
	      LABEL(INTERPRETED));
	read_frame(program);
	leave_frame(program);
}

/* The first frame that is seen, and all first ones: of which code? */
static void write_start(struct program *program)
{
	STEPS(program, LABEL(SLOW), SET(IS_SET, 1), CONSTANT(TOP_CODE, AT_TOP),
	      CONSTANT(TOP_MAP, AT_HEAPS + 1),
	      CONSTANT(INTERPRETER, AT_INTERPRETER),
	      CONSTANT(INTERPRETER_SIZE, AT_INTERPRETER_SIZE),
	      SET(MOST, FRAME_MOST), IF_EQUAL(FIRST, ZERO, 0, KNOWN),
	      SUBTRACT(VALUE, PC, INTERPRETER, 0),
	      IF_LESS(VALUE, INTERPRETER_SIZE, 0, FIRST_INSIDE));
	find_heap(program, 0, FIRST_HEAPS);
	find_segment(program, MAP, HOP_FIRST);
	read_size(program, FIRST_STUB);
}

/* Goes to IS + what the patterns say; or on. */
static void match(struct program *program, enum arch_java_where where)
{
	for (size_t i = 0; i < arch_java_npatterns; i++) {
		const struct arch_java_pattern *pattern =
			&arch_java_patterns[i];
		bool is_all = !pattern->count_before && !pattern->left;
		int label = is_all ? IS + (int)pattern->frame : MORE + (int)i;

		if (pattern->where != where)
			continue;
		if (pattern->count)
			STEPS(program,
			      IF_BYTES(CODE, pattern->count, pattern->bytes));
		STEPS(program, GO(label), LABEL(GO_ON + (int)i));
	}
}

/* The rest of the patterns that need more than bytes at the place. */
static void match_rest(struct program *program)
{
	for (size_t i = 0; i < arch_java_npatterns; i++) {
		const struct arch_java_pattern *pattern =
			&arch_java_patterns[i];
		int label = IS + (int)pattern->frame;

		if (!pattern->count_before && !pattern->left)
			continue;
		STEPS(program, LABEL(MORE + (int)i));
		if (pattern->left)
			STEPS(program,
			      IF_EQUAL(LEFT_OVER, ZERO, pattern->left, label));
		if (pattern->count_before)
			STEPS(program,
			      RIGHT(VALUE, BEFORE, ZERO,
				    8 * (WORD - pattern->before)),
			      IF_BYTES(VALUE, pattern->count_before,
				       pattern->bytes_before),
			      GO(label));
		STEPS(program, GO(GO_ON + (int)i));
	}
}

/* Go on at the label if a word is an address in the code cache. */
static void if_code(struct program *program, uint8_t word, int label)
{
	STEPS(program, CONSTANT(VALUE, RUNTIME_RANGES),
	      SUBTRACT(VALUE, word, VALUE, 0),
	      CONSTANT(BACK, RUNTIME_RANGES + 1),
	      IF_LESS(VALUE, BACK, 0, label));
}

/*
 * The stub that unwinds exceptions has left the method's frame when it calls the
 * machine, which may have needed a word more to align the stack.
 */
static void write_frameless(struct program *program)
{
	STEPS(program, LABEL(ODD), RIGHT(SIZE, SIZE, ZERO, 3),
	      SET(VALUE, NO_FRAME), IF_UNEQUAL(SIZE, VALUE, 0, UNKNOWN),
	      READ(VALUE, SP, 0, 2), IF_EQUAL(VALUE, ZERO, 0, UNKNOWN),
	      PICK(RETURN_TO, 0), ADD(AT, SP, ZERO, WORD));
	if_code(program, RETURN_TO, STUB_ENTERED);
	STEPS(program, PICK(RETURN_TO, WORD), ADD(AT, SP, ZERO, 2 * WORD));
	if_code(program, RETURN_TO, STUB_ENTERED);
	STEPS(program, LABEL(UNKNOWN), END(RUNTIME_ORDINARY));
}

/*
 * The stub that methods call when they are entered, for collectors, has pushed a
 * word of ones before it has made a frame with a frame pointer.
 */
static void write_barrier(struct program *program)
{
	enum { RETURN = 2 * WORD, ALL = 3 * WORD };

	STEPS(program, LABEL(STUB), SUBTRACT(VALUE, FP, SP, 0),
	      IF_NOT_LESS(VALUE, MOST, 0, UNKNOWN), READ(VALUE, FP, 0, 3),
	      PICK(RETURN_TO, WORD), IF_UNEQUAL(RETURN_TO, ZERO, -1, UNKNOWN),
	      PICK(RETURN_TO, RETURN));
	if_code(program, RETURN_TO, BARRIER);
	STEPS(program, GO(UNKNOWN), LABEL(BARRIER), ADD(AT, FP, ZERO, ALL),
	      PICK(FP, 0), GO(STUB_ENTERED));
}

/* What a compiled method has on the stack so far, and LEFT_OVER. */
static void write_position(struct program *program)
{
	const struct hotspot_layout *layout = program->layout;
	int64_t bits = 64 - 8 * (int64_t)layout->complete_size;

	STEPS(program, ADD(PIECE, PIECE, ZERO, layout->header),
	      LOAD(VALUE, PIECE, layout->code));
	if (layout->is_code_offset)
		STEPS(program, LEFT(VALUE, VALUE, ZERO, 32),
		      RIGHT(VALUE, VALUE, ZERO, 32),
		      ADD(VALUE, VALUE, PIECE, 0));
	STEPS(program, SUBTRACT(VALUE, PC, VALUE, 0),
	      LOAD(LEFT_OVER, PIECE, layout->complete),
	      LEFT(LEFT_OVER, LEFT_OVER, ZERO, bits),
	      RIGHT_SIGNED(LEFT_OVER, LEFT_OVER, ZERO, bits),
	      SUBTRACT(LEFT_OVER, LEFT_OVER, VALUE, 0), LOAD(CODE, PC, 0),
	      LOAD(BEFORE, PC, -WORD));
	match(program, ARCH_JAVA_ANYWHERE);
	/* 0 or less? */
	STEPS(program, SUBTRACT(VALUE, LEFT_OVER, ZERO, 1),
	      RIGHT(VALUE, VALUE, ZERO, 63),
	      IF_UNEQUAL(VALUE, ZERO, 0, IS + ARCH_JAVA_WHOLE));
	match(program, ARCH_JAVA_BEGINNING);
}

/*
 * The frame is as large as its code says, or as it is so far.  Whoever called is
 * in the code cache, too; if it seems not to be, an interrupted function may have
 * pushed something for a moment, or nothing at all: these are tried.
 */
static void write_compiled(struct program *program)
{
	STEPS(program, LABEL(IS + ARCH_JAVA_NOTHING), SET(IS_UNSAVED, 1),
	      SET(BYTES, WORD), GO(TRIES), LABEL(IS + ARCH_JAVA_POINTER),
	      SET(IS_UNSAVED, 0), SET(BYTES, 2 * WORD), GO(TRIES),
	      LABEL(IS + ARCH_JAVA_UNSAVED), SET(IS_UNSAVED, 1),
	      MOVE(BYTES, SIZE), GO(TRIES), LABEL(IS + ARCH_JAVA_WHOLE),
	      SET(IS_UNSAVED, 0), MOVE(BYTES, SIZE), LABEL(TRIES),
	      CALL(LEFT_OVER, TRY), SET(IS_UNSAVED, 0),
	      ADD(BYTES, SIZE, ZERO, WORD), CALL(LEFT_OVER, TRY),
	      SET(IS_UNSAVED, 1), SET(BYTES, WORD), CALL(LEFT_OVER, TRY),
	      SET(IS_UNSAVED, 0), SET(BYTES, 2 * WORD), CALL(LEFT_OVER, TRY),
	      GO(UNKNOWN), LABEL(TRY), ADD(NEXT, SP, BYTES, 0),
	      READ(VALUE, NEXT, -2 * WORD, 2), IF_EQUAL(VALUE, ZERO, 0, TRY_NO),
	      PICK(BYTES, WORD));
	if_code(program, BYTES, TRY_YES);
	STEPS(program, LABEL(TRY_NO), RETURN(LEFT_OVER), LABEL(TRY_YES),
	      PUT(PC, 0), NOTE(PC, 0), MOVE(SP, NEXT), MOVE(PC, BYTES),
	      IF_UNEQUAL(IS_UNSAVED, ZERO, 0, MOVED), PICK(FP, 0), LABEL(MOVED),
	      END(RUNTIME_MOVED));
}

/*
 * A method is being entered, by the interpreter or on the way to it or from it:
 * the return address is on the stack or in a register, and the caller's stack
 * pointer, where that is another one, in a register, too.  What the machine itself
 * has called returns elsewhere.
 */
static void write_entry(struct program *program)
{
	enum { NEAR = 16 * WORD };

	STEPS(program, LABEL(FIRST_STUB), SET(IS_INSIDE, 0), GO(ENTRY),
	      LABEL(FIRST_INSIDE), SET(IS_INSIDE, 1),
	      SUBTRACT(VALUE, CALLER, SP, 0),
	      IF_NOT_LESS(VALUE, MOST, 0, LEAVES), LABEL(ENTRY),
	      READ(VALUE, SP, 0, 1), IF_EQUAL(VALUE, ZERO, 0, LEAVES),
	      PICK(RETURN_TO, 0), ADD(AT, SP, ZERO, WORD));
	if_code(program, RETURN_TO, HAS_RETURN);
	STEPS(program, MAPPED(VALUE, RETURN_TO, -1),
	      IF_UNEQUAL(VALUE, ZERO, 0, LEAVES),
	      MOVE(RETURN_TO, RETURN_REGISTER), MOVE(AT, SP));
	if_code(program, RETURN_TO, IN_REGISTER);
	STEPS(program, GO(LEAVES), LABEL(IN_REGISTER),
	      /* Has it already made its frame? */
	      SUBTRACT(VALUE, FP, SP, 0),
	      IF_NOT_LESS(VALUE, ZERO, NEAR, HAS_RETURN), READ(VALUE, FP, 0, 2),
	      IF_EQUAL(VALUE, ZERO, 0, HAS_RETURN), PICK(VALUE, WORD),
	      IF_UNEQUAL(VALUE, RETURN_TO, 0, HAS_RETURN), PICK(FP, 0),
	      LABEL(HAS_RETURN),
	      /* The interpreter may have written over what the call has pushed. */
	      SUBTRACT(VALUE, CALLER, AT, 0),
	      IF_NOT_LESS(VALUE, MOST, 0, HAS_CALLER),
	      IF_UNEQUAL(IS_INSIDE, ZERO, 0, AT_CALLER),
	      LOAD(VALUE, CALLER, -WORD),
	      IF_UNEQUAL(VALUE, RETURN_TO, 0, HAS_CALLER), LABEL(AT_CALLER),
	      MOVE(AT, CALLER), LABEL(HAS_CALLER),
	      IF_EQUAL(IS_INSIDE, ZERO, 0, STUB_ENTERED),
	      FRAME(ENTERED, ZERO, 0), GO(GO_TO_CALLER), LABEL(STUB_ENTERED),
	      PUT(PC, 0), NOTE_AT(PC, EXACT, -1), LABEL(GO_TO_CALLER),
	      MOVE(PC, RETURN_TO), MOVE(SP, AT), END(RUNTIME_MOVED));
}

/* A method of the interpreter has done all but the last steps; or it runs. */
static void write_interpreted(struct program *program)
{
	enum { CODE_SHIFT = 16 }; /* bytes of bytecode in a method, at most */

	STEPS(program, LABEL(LEAVES), IF_EQUAL(IS_INSIDE, ZERO, 0, UNKNOWN),
	      LOAD(CODE, PC, 0));
	match(program, ARCH_JAVA_INTERPRETER);
	STEPS(program, GO(FIRST_FRAME), LABEL(IS + ARCH_JAVA_POPS),
	      LOAD(RETURN_TO, SP, 0), MOVE(AT, SENDER), GO(LEFT_FOR),
	      LABEL(IS + ARCH_JAVA_MOVES), MOVE(RETURN_TO, CALLER),
	      MOVE(AT, SENDER), GO(LEFT_FOR), LABEL(IS + ARCH_JAVA_JUMPS),
	      MOVE(RETURN_TO, CALLER), MOVE(AT, SP), LABEL(LEFT_FOR));
	if_code(program, RETURN_TO, LEFT_TO);
	STEPS(program, GO(FIRST_FRAME), LABEL(LEFT_TO),
	      SUBTRACT(VALUE, AT, SP, 0), IF_LESS(VALUE, MOST, 0, GO_TO_CALLER),
	      LABEL(FIRST_FRAME));
	read_frame(program);
	/* It writes its bytecode down only before it calls something. */
	STEPS(program,
	      SUBTRACT(CONST, BYTECODE, CONST, program->layout->constant_size),
	      RIGHT(VALUE, CONST, ZERO, CODE_SHIFT),
	      IF_UNEQUAL(VALUE, ZERO, 0, FIRST_KNOWN), MOVE(INDEX, CONST),
	      LABEL(FIRST_KNOWN));
	leave_frame(program);
}

/* -------------------------------------------------------------- the block */

static int from_top(const void *a, const void *b)
{
	const struct hotspot_heap *one = a, *other = b;

	return one->low > other->low ? -1 : one->low < other->low;
}

static void clear(uint64_t *block)
{
	memset(block + RUNTIME_RANGES, 0,
	       (RUNTIME_WORDS - RUNTIME_RANGES) * sizeof(*block));
}

bool hotspot_walk_write(const struct hotspot_layout *layout,
			const struct hotspot_code *code, uint64_t *block)
{
	struct hotspot_heap heaps[HOTSPOT_HEAPS];
	struct program program = { .layout = layout, .code = code };

	if (!code->nheaps)
		return false;
	clear(block);
	memcpy(heaps, code->heaps, code->nheaps * sizeof(*heaps));
	qsort(heaps, code->nheaps, sizeof(*heaps), from_top);
	block[RUNTIME_RANGES] = code->low;
	block[RUNTIME_RANGES + 1] = code->high - code->low;
	block[AT_INTERPRETER] = code->interpreter;
	block[AT_INTERPRETER_SIZE] = code->interpreter_end - code->interpreter;
	for (unsigned i = 0; i < code->nheaps; i++) {
		block[AT_HEAPS + 2 * i] = heaps[i].low;
		/* Segments are counted from address 0. */
		block[AT_HEAPS + 2 * i + 1] = heaps[i].segments -
					      (heaps[i].low >> code->shift);
		if (heaps[i].low & ((1ull << code->shift) - 1))
			return false;
	}
	program.is_interpreter_on_top = code->interpreter >= heaps[0].low;
	block[AT_TOP] = program.is_interpreter_on_top ? UINT64_MAX
						      : heaps[0].low;
	write_others(&program);
	write_frameless(&program);
	write_barrier(&program);
	write_start(&program);
	write_position(&program);
	write_compiled(&program);
	write_entry(&program);
	write_interpreted(&program);
	match_rest(&program);
	return program_add(block, program.steps, program.count);
}

bool hotspot_walk_wait(uint64_t *block)
{
	static const uint64_t ADDRESSES = 1ull << 47;
	const struct step steps[] = {
		PROGRAM(RUNTIME_STEPS),
		LOOK,
		END(RUNTIME_ORDINARY),
	};

	clear(block);
	block[RUNTIME_RANGES + 1] = ADDRESSES;
	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}
