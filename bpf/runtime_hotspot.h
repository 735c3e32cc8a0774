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

/* s->own: registers of the thread; what is known of the frame at hand */
enum {
	HOTSPOT_METHOD_NOW, HOTSPOT_BYTECODE_NOW, HOTSPOT_RETURN_NOW,
	HOTSPOT_VERDICT, HOTSPOT_SIZE, HOTSPOT_POSITION,
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

/* Is the address in that heap?  Then s->base and s->low are for hotspot_hop. */
INLINE uint64_t hotspot_heap(struct walk *w, uint64_t heap, uint64_t address)
{
	struct state *s = w->s;
	uint64_t at = HOTSPOT_HEAPS_AT + heap * 3;
	uint64_t low = runtime_word(w, at);

	if (address - low >= runtime_word(w, at + 1))
		return 0;
	s->high = low;
	s->base = runtime_word(w, at + 2);
	s->low = (address - low) >> (runtime_word(w, HOTSPOT_SHIFT) & 31);
	return 1;
}

/* The header of the piece that has an address becomes s->piece; its address or 0. */
static NOINLINE uint64_t hotspot_piece(struct walk *w, uint64_t address)
{
	struct state *s = w->s;

	if (!hotspot_heap(w, 0, address) && !hotspot_heap(w, 1, address) &&
	    !hotspot_heap(w, 2, address) && !hotspot_heap(w, 3, address))
		return 0;
	repeat(HOTSPOT_HOPS, hotspot_hop, w);
	if (s->want)
		return 0;
	uint64_t at = s->high +
		      (s->low << (runtime_word(w, HOTSPOT_SHIFT) & 31)) +
		      runtime_word(w, HOTSPOT_HEADER);

	return read_piece(s, at, sizeof(s->piece)) ? at : 0;
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
 * Each of the following parts is a loop of one turn.  Their results are in s->own,
 * about which the verifier knows nothing: what it has to follow in one of them
 * it does not have to follow again for each path through the one before.
 */
INLINE uint64_t hotspot_part(struct walk *w, turn_function *turn)
{
	repeat(1, turn, w);
	return w->s->own[HOTSPOT_VERDICT];
}

INLINE uint64_t hotspot_is_first(const struct state *s)
{
	return s->is_exact && s->at == WORD;
}

/* --------------------------------------------------------- compiled frames */

/* The caller is where s->word says. */
INLINE long hotspot_return(struct walk *w, uint64_t sp)
{
	struct state *s = w->s;

	s->pc = s->word;
	s->sp = sp;
	s->is_exact = 0;
	s->own[HOTSPOT_VERDICT] = RUNTIME_MOVED;
	return 1;
}

/* The frame is not there (any more), or there is only a part of it. */
static long hotspot_incomplete(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t place = s->sp;

	if (s->own[HOTSPOT_POSITION] == HOTSPOT_POINTER) {
		if (!read_pair(s, place))
			return 1;
		s->fp = s->below;
		place += WORD;
	} else if (!read_user(s, place)) {
		return 1;
	}
	return hotspot_return(w, place + WORD);
}

/*
 * The frame is as large as its code says.  Whoever called is in the code cache,
 * too; if it seems not to be, an interrupted function may have pushed something
 * for a moment, or nothing at all: one turn tries one of these.
 */
static long hotspot_compiled(uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t size = s->own[HOTSPOT_SIZE], is_first = hotspot_is_first(s);

	if (turn == 1)
		size += WORD;
	if (turn > 1)
		size = (turn - 1) * WORD;
	if (size > HOTSPOT_FRAME_MOST ||
	    !read_pair(s, s->sp + size - 2 * WORD))
		return 0;
	if (is_first && !hotspot_is_code(s, s->word))
		return 0;
	if (s->own[HOTSPOT_POSITION] != HOTSPOT_UNSAVED && turn != 2)
		s->fp = s->below;
	return hotspot_return(w, s->sp + size);
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
	uint64_t sp = s->sp, fp = s->fp;

	if (!read_user(s, sp))
		return 1;
	s->from = s->word;
	if (hotspot_is_code(s, s->from)) {
		sp += WORD;
	} else if (find_mapping(w, s->from - 1) && s->file) {
		return 1;
	} else {
		s->from = s->own[HOTSPOT_RETURN_NOW];
		if (!hotspot_is_code(s, s->from))
			return 1;
		/* Has it already made its frame? */
		if (fp - sp < 16 * WORD && read_pair(s, fp) &&
		    s->word == s->from)
			s->fp = s->below;
	}
	/* The interpreter may have written over what the call has pushed. */
	if (s->own[HOTSPOT_BYTECODE_NOW] - sp < HOTSPOT_FRAME_MOST &&
	    (s->own[HOTSPOT_POSITION] == HOTSPOT_INSIDE ||
	     process_word(s, s->own[HOTSPOT_BYTECODE_NOW] - WORD) == s->from))
		sp = s->own[HOTSPOT_BYTECODE_NOW];
	s->word = s->from;
	return hotspot_return(w, sp);
}

/* A method of the interpreter has done all but the last steps. */
static long hotspot_leave(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t back = s->own[HOTSPOT_BYTECODE_NOW], sp = s->sp;
	uint64_t caller = s->own[HOTSPOT_METHOD_NOW];
	uint64_t leaving = hotspot_leaving(process_word(s, s->pc));

	if (leaving == HOTSPOT_STAYS)
		return 1;
	if (leaving == HOTSPOT_JUMPS)
		caller = sp;
	if (leaving == HOTSPOT_POPS)
		back = process_word(s, sp);
	if (!hotspot_is_code(s, back) || caller - sp >= HOTSPOT_FRAME_MOST)
		return 1;
	s->word = back;
	return hotspot_return(w, caller);
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
	if (s->fp - s->sp >= HOTSPOT_FRAME_MOST || (s->fp & 7) ||
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
	runtime_put_frame(w, s->base, s->want);
	s->fp = s->below;
	return hotspot_return(w, s->from);
}

INLINE uint64_t hotspot_interpreted(struct walk *w)
{
	struct state *s = w->s;
	uint64_t is_entered = s->own[HOTSPOT_BYTECODE_NOW] - s->sp <
			      HOTSPOT_FRAME_MOST;

	if (!hotspot_is_first(s))
		return hotspot_part(w, hotspot_frame);
	s->own[HOTSPOT_POSITION] = HOTSPOT_INSIDE;
	if (is_entered && hotspot_part(w, hotspot_entry)) {
		runtime_put_frame(w, s->own[HOTSPOT_METHOD_NOW], 0);
		return RUNTIME_MOVED;
	}
	if (hotspot_part(w, hotspot_leave))
		return RUNTIME_MOVED;
	return hotspot_part(w, hotspot_frame);
}

/* ---------------------------------------------------------------- any code */

/* What the header in s->piece, which is at s->from, says of the frame. */
static long hotspot_describe(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t complete = hotspot_complete(w);
	uint64_t code = runtime_word(w, HOTSPOT_CODE_IS_OFFSET)
				? s->from + hotspot_half(w, HOTSPOT_CODE)
				: piece_word(s, runtime_word(w, HOTSPOT_CODE));

	s->own[HOTSPOT_SIZE] = hotspot_half(w, HOTSPOT_FRAME) * WORD;
	s->own[HOTSPOT_POSITION] = HOTSPOT_WHOLE;
	if (hotspot_is_first(s)) {
		uint64_t before = process_word(s, s->pc - WORD);

		s->own[HOTSPOT_POSITION] =
			hotspot_position(process_word(s, s->pc), before,
					 s->pc - code, complete);
	}
	return 1;
}

/*
 * The code at hand was compiled, or is a stub.  If the frame of one that was
 * interrupted cannot be, it is about to be made or gone.
 */
INLINE uint64_t hotspot_other(struct walk *w)
{
	struct state *s = w->s;
	uint64_t size = s->own[HOTSPOT_SIZE];
	uint64_t position = s->own[HOTSPOT_POSITION];

	if (!size && hotspot_is_first(s))
		return hotspot_part(w, hotspot_entry);
	if (!size)
		return RUNTIME_ORDINARY;
	if (position == HOTSPOT_NOTHING || position == HOTSPOT_POINTER)
		return hotspot_part(w, hotspot_incomplete);
	repeat(hotspot_is_first(s) ? HOTSPOT_FORMS : 1, hotspot_compiled, w);
	return s->own[HOTSPOT_VERDICT];
}

INLINE uint64_t hotspot_step(struct walk *w)
{
	struct state *s = w->s;
	uint64_t pc = s->pc, address = pc - !s->is_exact;

	s->own[HOTSPOT_VERDICT] = RUNTIME_ORDINARY;
	if (runtime_word(w, HOTSPOT_IS_EARLY)) {
		/* Its tables are not there yet: look again. */
		s->is_unmapped = 1;
		return RUNTIME_ORDINARY;
	}
	if (address - runtime_word(w, HOTSPOT_INTERPRETER) <
	    runtime_word(w, HOTSPOT_INTERPRETER_SIZE))
		return hotspot_interpreted(w);
	s->from = hotspot_piece(w, address);
	if (!s->from)
		return RUNTIME_ORDINARY;
	repeat(1, hotspot_describe, w);
	uint64_t moved = hotspot_other(w);

	if (moved) {
		runtime_put(w, pc);
		note_frame(w, address);
	}
	return moved;
}
