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

/* s->own: registers of the thread */
enum { HOTSPOT_METHOD_NOW, HOTSPOT_BYTECODE_NOW, HOTSPOT_RETURN_NOW };
enum { HOTSPOT_HOPS = 48, HOTSPOT_FREE = 255, HOTSPOT_FRAME_MOST = 1 << 20 };

static uint64_t find_mapping(struct walk *w, uint64_t address);

INLINE uint64_t hotspot_is_code(const struct state *s, uint64_t address)
{
	return address - s->code < s->code_size;
}

/* The registers that are needed of a thread that was interrupted here. */
#ifdef __bpf__
static NOINLINE uint64_t hotspot_start(struct walk *w)
{
	const volatile uint64_t *regs = (const volatile uint64_t *)
		bpf_task_pt_regs(bpf_get_current_task_btf());

	w->s->own[HOTSPOT_METHOD_NOW] = regs[HOTSPOT_METHOD_AT / WORD];
	w->s->own[HOTSPOT_BYTECODE_NOW] = regs[HOTSPOT_BYTECODE_AT / WORD];
	w->s->own[HOTSPOT_RETURN_NOW] = regs[HOTSPOT_RETURN_AT / WORD];
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

/* --------------------------------------------------------- compiled frames */

/* The caller is where s->word says. */
INLINE uint64_t hotspot_return(struct walk *w, uint64_t sp)
{
	struct state *s = w->s;

	s->pc = s->word;
	s->sp = sp;
	s->is_exact = 0;
	return RUNTIME_MOVED;
}

/* Could s->word be where a function returns to? */
static NOINLINE uint64_t hotspot_is_return(struct walk *w)
{
	uint64_t address = w->s->word;

	return hotspot_is_code(w->s, address) || find_mapping(w, address - 1);
}

/* The return address is `depth` bytes above the stack pointer. */
static NOINLINE uint64_t hotspot_return_at(struct walk *w, uint64_t depth)
{
	struct state *s = w->s;
	uint64_t place = s->sp + depth;

	return read_user(s, place) && hotspot_is_return(w)
		       ? hotspot_return(w, place + WORD)
		       : RUNTIME_ORDINARY;
}

/* The frame is not there (any more), or there is only a part of it. */
static NOINLINE uint64_t hotspot_incomplete(struct walk *w, uint64_t position)
{
	struct state *s = w->s;
	uint64_t fp = s->fp;

	if (position == HOTSPOT_POINTER && read_user(s, s->sp)) {
		fp = s->word;
		if (hotspot_return_at(w, WORD)) {
			s->fp = fp;
			return RUNTIME_MOVED;
		}
	}
	return hotspot_return_at(w, 0);
}

/* `size`: of the frame, in bytes. */
static NOINLINE uint64_t hotspot_compiled(struct walk *w, uint64_t size,
					  uint64_t position)
{
	struct state *s = w->s;
	uint64_t cfa = s->sp + size;

	if (!size || size > HOTSPOT_FRAME_MOST ||
	    !read_pair(s, cfa - 2 * WORD))
		return RUNTIME_ORDINARY;
	uint64_t fp = s->below;

	if (s->is_exact && !hotspot_is_return(w))
		return hotspot_incomplete(w, HOTSPOT_POINTER);
	if (position != HOTSPOT_UNSAVED)
		s->fp = fp;
	return hotspot_return(w, cfa);
}

/* ------------------------------------------------------ interpreted frames */

/*
 * A method is being entered, by the interpreter or on the way to it or from it:
 * the return address is on the stack or in a register, and the caller's stack
 * pointer, where that is another one, in a register, too.
 */
static NOINLINE uint64_t hotspot_entry(struct walk *w)
{
	struct state *s = w->s;
	uint64_t sp = s->sp, caller = s->own[HOTSPOT_BYTECODE_NOW];
	uint64_t back = s->own[HOTSPOT_RETURN_NOW], fp = s->fp;

	if (!read_user(s, sp))
		return RUNTIME_ORDINARY;
	if (hotspot_is_code(s, s->word)) {
		sp += WORD;
	} else if (!hotspot_is_code(s, back)) {
		return RUNTIME_ORDINARY;
	} else {
		/* Has it already made its frame? */
		if (fp - sp < 16 * WORD && read_pair(s, fp) && s->word == back)
			s->fp = s->below;
		s->word = back;
	}
	if (caller - sp < HOTSPOT_FRAME_MOST)
		sp = caller;
	return hotspot_return(w, sp);
}

/* The interrupted thread: not in the middle of a method? */
static NOINLINE uint64_t hotspot_first(struct walk *w)
{
	struct state *s = w->s;
	uint64_t bytecode = s->own[HOTSPOT_BYTECODE_NOW], sp = s->sp;

	if (bytecode - sp < HOTSPOT_FRAME_MOST) {
		uint64_t moved = hotspot_entry(w);

		if (moved == RUNTIME_MOVED)
			runtime_put_frame(w, s->own[HOTSPOT_METHOD_NOW], 0);
		return moved;
	}
	uint64_t leaving = hotspot_leaving(s);
	uint64_t caller = s->own[HOTSPOT_METHOD_NOW];

	if (leaving == HOTSPOT_POPS && read_user(s, sp) &&
	    hotspot_is_code(s, s->word) && caller - sp < HOTSPOT_FRAME_MOST)
		return hotspot_return(w, caller);
	if (!hotspot_is_code(s, bytecode))
		return RUNTIME_ORDINARY;
	s->word = bytecode;
	if (leaving == HOTSPOT_JUMPS)
		return hotspot_return(w, sp);
	if (leaving == HOTSPOT_MOVES && caller - sp < HOTSPOT_FRAME_MOST)
		return hotspot_return(w, caller);
	return RUNTIME_ORDINARY;
}

/* The index of a bytecode; RUNTIME_DETAIL_MOST: it is not known. */
INLINE uint64_t hotspot_index(const struct walk *w, uint64_t constant,
			      uint64_t bytecode)
{
	uint64_t index = bytecode - constant -
			 runtime_word(w, HOTSPOT_CONST_SIZE);

	return index < 65536 ? index : RUNTIME_DETAIL_MOST;
}

static NOINLINE uint64_t hotspot_interpreted(struct walk *w)
{
	struct state *s = w->s;
	uint64_t is_first = s->is_exact && s->at == WORD;

	if (is_first && hotspot_first(w) == RUNTIME_MOVED)
		return RUNTIME_MOVED;
	uint64_t start = s->fp - runtime_word(w, HOTSPOT_SLOTS);

	if (s->fp - s->sp >= HOTSPOT_FRAME_MOST || (s->fp & 7) ||
	    !read_piece(s, start, 10 * WORD))
		return RUNTIME_ORDINARY;
	uint64_t method = piece_word(s, runtime_word(w, HOTSPOT_SLOT_METHOD));
	uint64_t bytecode = piece_word(s, runtime_word(w, HOTSPOT_SLOT_BYTECODE));
	uint64_t sender = piece_word(s, runtime_word(w, HOTSPOT_SLOT_SENDER));
	uint64_t slots = runtime_word(w, HOTSPOT_SLOTS);
	uint64_t fp = piece_word(s, slots), back = piece_word(s, slots + WORD);

	if (sender - s->sp >= HOTSPOT_FRAME_MOST || (method & 7) || !method)
		return RUNTIME_ORDINARY;
	uint64_t constant = process_word(s, method + runtime_word(w, HOTSPOT_CONST));
	uint64_t index = hotspot_index(w, constant, bytecode);

	if (!constant)
		return RUNTIME_ORDINARY;
	/* It writes the place down only before it calls something. */
	if (is_first) {
		uint64_t now = hotspot_index(w, constant,
					     s->own[HOTSPOT_BYTECODE_NOW]);

		if (now != RUNTIME_DETAIL_MOST)
			index = now;
	}
	runtime_put_frame(w, method, index);
	s->fp = fp;
	s->word = back;
	return hotspot_return(w, sender);
}

/* ---------------------------------------------------------------- any code */

static NOINLINE uint64_t hotspot_step(struct walk *w)
{
	struct state *s = w->s;
	uint64_t pc = s->pc, address = pc - !s->is_exact;
	uint64_t is_first = s->is_exact && s->at == WORD;
	uint64_t position = HOTSPOT_WHOLE, moved;

	if (runtime_word(w, HOTSPOT_IS_EARLY)) {
		/* Its tables are not there yet: look again. */
		s->is_unmapped = 1;
		return RUNTIME_ORDINARY;
	}
	if (address - runtime_word(w, HOTSPOT_INTERPRETER) <
	    runtime_word(w, HOTSPOT_INTERPRETER_SIZE))
		return hotspot_interpreted(w);
	uint64_t at = hotspot_piece(w, address);

	if (!at)
		return RUNTIME_ORDINARY;
	uint64_t size = hotspot_half(w, HOTSPOT_FRAME) * WORD;
	uint64_t complete = hotspot_complete(w);
	uint64_t code = runtime_word(w, HOTSPOT_CODE_IS_OFFSET)
				? at + hotspot_half(w, HOTSPOT_CODE)
				: piece_word(s, runtime_word(w, HOTSPOT_CODE));

	if (is_first && (size || address < code))
		position = hotspot_position(s, address - code, complete);
	if (!size)
		moved = is_first ? hotspot_entry(w) : RUNTIME_ORDINARY;
	else if (position == HOTSPOT_NOTHING || position == HOTSPOT_POINTER)
		moved = hotspot_incomplete(w, position);
	else
		moved = hotspot_compiled(w, size, position);
	if (moved == RUNTIME_MOVED) {
		runtime_put(w, pc);
		ask_for(w, address);
	}
	return moved;
}
