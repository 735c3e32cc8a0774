/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Frames of CPython, in place of its loop (_PyEval_EvalFrameDefault).
 *
 * The state of the thread is its data for a key that the runtime has made.  It
 * leads to the frame that runs, frames lead to their callers.  Since 3.11 a loop
 * runs several of them; where its part ends is marked.  Until 3.12, what the
 * thread's state points to is on the stack of the loop itself, so it is certain
 * to which of the loops on the stack frames belong: one that has just been
 * entered has none yet.
 */

#include "unwind_state.h"

enum { CPYTHON_ONE_OF_THEM = 3 }; /* this much in the mark: not a frame */

/* s->own */
enum { CPYTHON_KNOWN, CPYTHON_NEXT_LOOP, CPYTHON_FRAME };

/* Until 3.10, the frame of the next loop; else what leads to it. */
static NOINLINE uint64_t cpython_first(struct walk *w)
{
	struct state *s = w->s;
	uint64_t key = process_word(s, runtime_word(w, CPYTHON_KEY));

	/* an int that says whether there is a key, and the key */
	if (!(key & 0xffffffff) || key >> 32 >= 32)
		return 0;
	uint64_t data = thread_pointer(w) + runtime_word(w, CPYTHON_SPECIFIC) +
			(key >> 32) * 2 * WORD;
	uint64_t state = process_word(s, data + WORD);

	return state ? process_word(s, state + runtime_word(w, CPYTHON_TOP))
		     : 0;
}

static NOINLINE uint64_t cpython_begin(struct walk *w)
{
	struct state *s = w->s;
	uint64_t form = runtime_word(w, CPYTHON_FORM);

	if (!s->own[CPYTHON_KNOWN]) {
		s->own[CPYTHON_KNOWN] = 1;
		s->own[CPYTHON_NEXT_LOOP] = cpython_first(w);
	}
	uint64_t at = s->own[CPYTHON_NEXT_LOOP];
	uint64_t current = runtime_word(w, CPYTHON_CURRENT);

	if (form == CPYTHON_SINGLE || form == CPYTHON_LINKED) {
		s->anchor = 1;
		s->own[CPYTHON_FRAME] = at;
		return at && runtime_is_parked(w);
	}
	if (at < s->loop_sp) {
		if (!read_piece(s, at + current, 2 * WORD))
			return 0;
		at = s->piece[1];
		s->own[CPYTHON_NEXT_LOOP] = at;
	}
	if (at - s->loop_sp >= s->sp - s->loop_sp ||
	    !runtime_is_still(w, at + current) ||
	    !read_piece(s, at + current, 2 * WORD))
		return 0;
	s->anchor = at;
	s->own[CPYTHON_FRAME] = s->piece[0];
	s->own[CPYTHON_NEXT_LOOP] = s->piece[1];
	return s->piece[0] != 0;
}

/* The number of the instruction that a frame of 3.11 and later is at. */
INLINE uint64_t cpython_index(const struct walk *w, uint64_t code,
			      uint64_t instruction)
{
	return (instruction - code - runtime_word(w, CPYTHON_FIRST)) >> 1;
}

static NOINLINE uint64_t cpython_next(struct walk *w)
{
	enum { SIZE = 80, SIZE_SINGLE = 112 };
	struct state *s = w->s;
	uint64_t form = runtime_word(w, CPYTHON_FORM), index;

	if (!(form == CPYTHON_SINGLE
		      ? read_piece(s, s->own[CPYTHON_FRAME], SIZE_SINGLE)
		      : read_piece(s, s->own[CPYTHON_FRAME], SIZE)))
		return 0;
	uint64_t code = piece_word(s, runtime_word(w, CPYTHON_CODE));
	uint64_t previous = piece_word(s, runtime_word(w, CPYTHON_PREVIOUS));
	uint64_t at = piece_word(s, runtime_word(w, CPYTHON_INSTRUCTION));
	uint64_t mark = piece_byte(s, runtime_word(w, CPYTHON_MARK));

	s->own[CPYTHON_FRAME] = previous;
	if (form == CPYTHON_SINGLE) {
		s->own[CPYTHON_NEXT_LOOP] = previous;
		index = (at & 0xffffffff) >> runtime_word(w, CPYTHON_UNITS);
		runtime_put_frame(w, code, index);
		return 0;
	}
	if (form != CPYTHON_MARKED && mark >= CPYTHON_ONE_OF_THEM) {
		if (form == CPYTHON_LINKED)
			s->own[CPYTHON_NEXT_LOOP] = previous;
		return 0;
	}
	runtime_put_frame(w, code, cpython_index(w, code, at));
	return previous && !(form == CPYTHON_MARKED && mark);
}
