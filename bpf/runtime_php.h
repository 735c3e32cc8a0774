/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Frames of PHP, in place of its loop (execute_ex).
 *
 * A global variable has the frame that runs, frames lead to their callers.  The
 * first frame of a loop is marked.  Functions of C have frames, too, but no loop:
 * they are shown with the loop that called them.
 *
 * The instruction that a frame is at is only kept up to date where it may be
 * asked for (calls, warnings); for the innermost one it may be a few back.
 */

#include "unwind_state.h"

/* s->own */
enum { PHP_KNOWN, PHP_FRAME };

static NOINLINE uint64_t php_begin(struct walk *w)
{
	struct state *s = w->s;

	if (!s->own[PHP_KNOWN]) {
		s->own[PHP_KNOWN] = 1;
		s->own[PHP_FRAME] = process_word(s,
						 runtime_word(w, PHP_CURRENT));
	}
	s->anchor = 1;
	return s->own[PHP_FRAME] && runtime_is_parked(w);
}

static NOINLINE uint64_t php_next(struct walk *w)
{
	enum { SIZE = 80, INTERNAL = 1, FIRST_OF_LOOP = 1 << 17 };
	struct state *s = w->s;

	if (!read_piece(s, s->own[PHP_FRAME], SIZE))
		return 0;
	uint64_t at = piece_word(s, 0);
	uint64_t function = piece_word(s, runtime_word(w, PHP_FUNCTION));
	uint64_t marks = piece_word(s, runtime_word(w, PHP_MARKS));
	uint64_t previous = piece_word(s, runtime_word(w, PHP_PREVIOUS));

	s->own[PHP_FRAME] = previous;
	/* Calls that a function of C has begun have a frame without one. */
	if (!function)
		return previous;
	uint64_t kind = process_word(s, function) & 0xff, line = 0;

	if (kind != INTERNAL)
		line = process_word(s, at + runtime_word(w, PHP_LINE)) &
		       0xffffffff;
	runtime_put_frame(w, function, line);
	return previous && (kind == INTERNAL || !(marks & FIRST_OF_LOOP));
}
