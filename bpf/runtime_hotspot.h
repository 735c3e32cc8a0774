/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Frames of a Java virtual machine (HotSpot): code that it has interpreted or
 * compiled, which has frame pointers only now and then.
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
 * other.  The instruction shows which, or the registers (hotspot.h of the
 * machine).
 */

#include "hotspot.h"
#include "unwind_state.h"

static uint64_t find_mapping(struct walk *w, uint64_t address);

/*
 * s->own: registers of the thread; the size of the frame at hand and its
 * position, and when the walk has moved, in the same place what is to be written
 * and what is to be named.
 */
enum {
	HOTSPOT_METHOD_NOW, HOTSPOT_BYTECODE_NOW, HOTSPOT_RETURN_NOW,
	HOTSPOT_VERDICT, HOTSPOT_SIZE, HOTSPOT_POSITION,
	HOTSPOT_WRITE = HOTSPOT_SIZE, HOTSPOT_NAME = HOTSPOT_POSITION,
};
enum { HOTSPOT_FORMS = 4 }; /* of frames: hotspot_compiled() */
enum { HOTSPOT_HOPS = 48, HOTSPOT_FREE = 255, HOTSPOT_FRAME_MOST = 1 << 20 };

INLINE uint64_t hotspot_is_code(const struct state *s, uint64_t address)
{
	return address - s->code < s->code_size;
}

#ifdef __bpf__
/* A register of the thread that was interrupted. */
static NOINLINE uint64_t hotspot_register(uint64_t at)
{
	const volatile uint64_t *regs = (const volatile uint64_t *)
		bpf_task_pt_regs(bpf_get_current_task_btf());

	if (at == HOTSPOT_METHOD_AT)
		return regs[HOTSPOT_METHOD_AT / WORD];
	if (at == HOTSPOT_BYTECODE_AT)
		return regs[HOTSPOT_BYTECODE_AT / WORD];
	return regs[HOTSPOT_RETURN_AT / WORD];
}

static NOINLINE uint64_t hotspot_start(struct walk *w)
{
	w->s->own[HOTSPOT_METHOD_NOW] = hotspot_register(HOTSPOT_METHOD_AT);
	w->s->own[HOTSPOT_BYTECODE_NOW] = hotspot_register(HOTSPOT_BYTECODE_AT);
	w->s->own[HOTSPOT_RETURN_NOW] = hotspot_register(HOTSPOT_RETURN_AT);
	return 0;
}
#else
static uint64_t hotspot_start(struct walk *w)
{
	for (unsigned i = 0; i < 3 && unwind_registers; i++)
		w->s->own[i] = unwind_registers[i];
	return 0;
}
#endif

/* ---------------------------------------------------------- pieces of code */

static long hotspot_hop(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t segment = s->low;

	s->want = HOTSPOT_FREE;
	if (!read_piece(s, s->base + segment, 1))
		return 1;
	uint64_t back = s->piece[0] & 0xff;

	if (back == HOTSPOT_FREE || back > segment)
		return 1;
	s->want = back;
	s->low = segment - back;
	return !back;
}

/* Is s->want in that heap?  Then s->base and s->low are for hotspot_hop. */
static long hotspot_heap(uint32_t heap, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t at = HOTSPOT_HEAPS_AT + heap * 3;

	s->high = runtime_word(w, at);
	s->low = s->want - s->high;
	if (s->low >= runtime_word(w, at + 1))
		return 0;
	s->base = runtime_word(w, at + 2);
	s->low >>= s->shift & 31;
	repeat(HOTSPOT_HOPS, hotspot_hop, w);
	if (!s->want)
		s->from = s->high + (s->low << (s->shift & 31)) +
			  runtime_word(w, HOTSPOT_HEADER);
	return 1;
}

/* The header of the piece that has an address becomes s->piece; s->from: where. */
static NOINLINE uint64_t hotspot_piece(struct walk *w, uint64_t address)
{
	struct state *s = w->s;

	s->from = 0;
	s->want = address;
	s->shift = runtime_word(w, HOTSPOT_SHIFT);
	repeat(HOTSPOT_HEAPS_MOST, hotspot_heap, w);
	return s->from && read_piece(s, s->from, sizeof(s->piece));
}

INLINE uint64_t hotspot_half(const struct walk *w, uint64_t word)
{
	uint64_t at = runtime_word(w, word);
	uint64_t value = piece_word(w->s, at & ~(uint64_t)7);

	return at & 4 ? value >> 32 : value & 0xffffffff;
}

/* A signed number of four bytes, or of two. */
INLINE uint64_t hotspot_complete(const struct walk *w)
{
	uint64_t at = runtime_word(w, HOTSPOT_COMPLETE);
	uint64_t value = hotspot_half(w, HOTSPOT_COMPLETE);

	if (runtime_word(w, HOTSPOT_COMPLETE_SIZE) == 4)
		return (uint64_t)(int32_t)value;
	return (uint64_t)(int16_t)(value >> (at & 2) * 8);
}

/*
 * Each of the following parts is a loop of one turn, and finds out itself whether
 * there is something to do for it.  Their results are in s->own, about which the
 * verifier knows nothing: what it has to follow in one of them it does not have to
 * follow again for each path through the one before.
 */

INLINE uint64_t hotspot_is_first(const struct state *s)
{
	return s->is_exact && s->at == WORD;
}

/* The caller is where s->word says; `write` is what this was, or 0. */
INLINE long hotspot_return(struct walk *w, uint64_t sp, uint64_t write)
{
	struct state *s = w->s;

	s->own[HOTSPOT_VERDICT] = RUNTIME_MOVED;
	s->own[HOTSPOT_WRITE] = write;
	s->own[HOTSPOT_NAME] = RUNTIME_IS_FRAME(write) ? write
						       : s->pc - !s->is_exact;
	s->pc = s->word;
	s->sp = sp;
	s->is_exact = 0;
	return 1;
}

/* ------------------------------------------------------------ what it is */

/* What the header in s->piece, which is at s->from, says of the frame. */
static long hotspot_describe(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;

	s->own[HOTSPOT_SIZE] = hotspot_half(w, HOTSPOT_FRAME) * WORD;
	s->own[HOTSPOT_POSITION] = HOTSPOT_WHOLE;
	if (!hotspot_is_first(s))
		return 1;
	s->want = hotspot_complete(w);
	s->low = piece_word(s, runtime_word(w, HOTSPOT_CODE));
	if (runtime_word(w, HOTSPOT_CODE_IS_OFFSET))
		s->low = s->from + hotspot_half(w, HOTSPOT_CODE);
	s->high = process_word(s, s->pc - WORD);
	s->own[HOTSPOT_POSITION] = hotspot_position(process_word(s, s->pc),
						    s->high, s->pc - s->low,
						    s->want);
	return 1;
}

/* The code at hand is the interpreter, a stub, or compiled. */
static NOINLINE uint64_t hotspot_locate(struct walk *w, uint64_t address)
{
	struct state *s = w->s;

	s->own[HOTSPOT_SIZE] = 0;
	s->own[HOTSPOT_POSITION] = HOTSPOT_INSIDE;
	if (address - runtime_word(w, HOTSPOT_INTERPRETER) <
	    runtime_word(w, HOTSPOT_INTERPRETER_SIZE))
		return 1;
	s->own[HOTSPOT_POSITION] = HOTSPOT_STUB;
	if (!hotspot_piece(w, address))
		return 0;
	repeat(1, hotspot_describe, w);
	if (!s->own[HOTSPOT_SIZE])
		s->own[HOTSPOT_POSITION] = HOTSPOT_STUB;
	return 1;
}

/* --------------------------------------------------------- compiled frames */

/*
 * The frame is as large as its code says, or as it is so far.  Whoever called is
 * in the code cache, too; if it seems not to be, an interrupted function may have
 * pushed something for a moment, or nothing at all: one turn tries one of these.
 */
static long hotspot_compiled(uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t size = s->own[HOTSPOT_SIZE];
	uint64_t position = s->own[HOTSPOT_POSITION];

	if (position > HOTSPOT_POINTER)
		return 1;
	if (turn == 1)
		size += WORD;
	if (turn == 2 || (!turn && position == HOTSPOT_NOTHING)) {
		size = WORD;
		position = HOTSPOT_UNSAVED;
	}
	if (turn == 3 || (!turn && position == HOTSPOT_POINTER))
		size = 2 * WORD;
	if (size > HOTSPOT_FRAME_MOST || !size ||
	    !read_pair(s, s->sp + size - 2 * WORD))
		return !hotspot_is_first(s);
	if (hotspot_is_first(s) && !hotspot_is_code(s, s->word))
		return 0;
	if (position != HOTSPOT_UNSAVED)
		s->fp = s->below;
	return hotspot_return(w, s->sp + size, s->pc);
}

/* ------------------------------------------------------ interpreted frames */

/*
 * A method is being entered, by the interpreter or on the way to it or from it:
 * the return address is on the stack or in a register, and the caller's stack
 * pointer, where that is another one, in a register, too.  What the machine itself
 * has called returns elsewhere.
 */
static long hotspot_entry(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t is_inside = s->own[HOTSPOT_POSITION] == HOTSPOT_INSIDE;
	uint64_t caller = s->own[HOTSPOT_BYTECODE_NOW];

	if (s->own[HOTSPOT_POSITION] < HOTSPOT_INSIDE ||
	    (is_inside && caller - s->sp >= HOTSPOT_FRAME_MOST) ||
	    !read_user(s, s->sp))
		return 1;
	s->from = s->word;
	s->shift = s->sp;
	if (hotspot_is_code(s, s->from)) {
		s->shift += WORD;
	} else {
		if (find_mapping(w, s->from - 1) && s->file)
			return 1;
		s->from = s->own[HOTSPOT_RETURN_NOW];
		s->shift = s->sp;
		if (!hotspot_is_code(s, s->from))
			return 1;
		/* Has it already made its frame? */
		if (s->fp - s->sp < 16 * WORD && read_pair(s, s->fp) &&
		    s->word == s->from)
			s->fp = s->below;
	}
	/* The interpreter may have written over what the call has pushed. */
	if (caller - s->shift < HOTSPOT_FRAME_MOST &&
	    (is_inside || process_word(s, caller - WORD) == s->from))
		s->shift = caller;
	s->word = s->from;
	return hotspot_return(
		w, s->shift,
		is_inside ? RUNTIME_FRAME(s->own[HOTSPOT_METHOD_NOW], 0)
			  : s->pc);
}

/* A method of the interpreter has done all but the last steps. */
static long hotspot_leave(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t leaving;

	if (s->own[HOTSPOT_VERDICT] ||
	    s->own[HOTSPOT_POSITION] != HOTSPOT_INSIDE)
		return 1;
	leaving = hotspot_leaving(process_word(s, s->pc));
	if (leaving == HOTSPOT_STAYS)
		return 1;
	s->from = s->own[HOTSPOT_METHOD_NOW];
	if (leaving == HOTSPOT_JUMPS)
		s->from = s->sp;
	s->word = s->own[HOTSPOT_BYTECODE_NOW];
	if (leaving == HOTSPOT_POPS)
		read_user(s, s->sp);
	if (!hotspot_is_code(s, s->word) ||
	    s->from - s->sp >= HOTSPOT_FRAME_MOST)
		return 1;
	return hotspot_return(w, s->from, 0);
}

/* The index of a bytecode; RUNTIME_DETAIL_MOST: it is not known. */
static NOINLINE uint64_t hotspot_index(struct walk *w, uint64_t constant,
				       uint64_t bytecode)
{
	uint64_t index = bytecode - constant -
			 runtime_word(w, HOTSPOT_CONST_SIZE);

	return index < 65536 ? index : RUNTIME_DETAIL_MOST;
}

/* The interpreted method s->base at bytecode s->low. */
static long hotspot_method(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;

	s->want = RUNTIME_DETAIL_MOST;
	s->high = process_word(s, s->base + runtime_word(w, HOTSPOT_CONST));
	/* It writes its bytecode down only before it calls something. */
	if (hotspot_is_first(s))
		s->want = hotspot_index(w, s->high,
					s->own[HOTSPOT_BYTECODE_NOW]);
	if (s->want == RUNTIME_DETAIL_MOST)
		s->want = hotspot_index(w, s->high, s->low);
	return 1;
}

/*
 * A whole frame.  What is read goes to memory at once, so that the verifier need
 * not know each of it twice.
 */
static long hotspot_frame(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;

	s->shift = runtime_word(w, HOTSPOT_SLOTS);
	if (s->own[HOTSPOT_VERDICT] ||
	    s->own[HOTSPOT_POSITION] != HOTSPOT_INSIDE ||
	    s->fp - s->sp >= HOTSPOT_FRAME_MOST || (s->fp & 7) ||
	    !read_piece(s, s->fp - s->shift, 10 * WORD))
		return 1;
	s->base = piece_word(s, runtime_word(w, HOTSPOT_SLOT_METHOD));
	s->low = piece_word(s, runtime_word(w, HOTSPOT_SLOT_BYTECODE));
	s->from = piece_word(s, runtime_word(w, HOTSPOT_SLOT_SENDER));
	s->below = piece_word(s, s->shift);
	s->word = piece_word(s, s->shift + WORD);
	repeat(1, hotspot_method, w);
	if (!s->high || (s->base & 7) || s->from - s->sp >= HOTSPOT_FRAME_MOST)
		return 1;
	s->fp = s->below;
	return hotspot_return(w, s->from, RUNTIME_FRAME(s->base, s->want));
}

/* ---------------------------------------------------------------- any code */

static long hotspot_write(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;

	if (s->own[HOTSPOT_VERDICT] != RUNTIME_MOVED || !s->own[HOTSPOT_WRITE])
		return 1;
	runtime_put(w, s->own[HOTSPOT_WRITE]);
	note_frame(w, s->own[HOTSPOT_NAME]);
	return 1;
}

INLINE uint64_t hotspot_step(struct walk *w)
{
	struct state *s = w->s;

	s->own[HOTSPOT_VERDICT] = RUNTIME_ORDINARY;
	if (runtime_word(w, HOTSPOT_IS_EARLY)) {
		/* Its tables are not there yet: look again. */
		s->is_unmapped = 1;
		return RUNTIME_ORDINARY;
	}
	if (!hotspot_locate(w, s->pc - !s->is_exact))
		return RUNTIME_ORDINARY;
	if (hotspot_is_first(s)) {
		repeat(1, hotspot_entry, w);
		repeat(1, hotspot_leave, w);
	}
	repeat(1, hotspot_frame, w);
	repeat(HOTSPOT_FORMS, hotspot_compiled, w);
	repeat(1, hotspot_write, w);
	return s->own[HOTSPOT_VERDICT];
}
