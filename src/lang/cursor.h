/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Cursor: where in a D text a position is.
 *
 * An editor asks while a program is being typed, so most texts are wrong: a brace
 * is open, a clause ends in the middle of a word.  The parser stops there; this
 * looks at the text only as far as that helps, at comments, strings, braces and
 * the slashes of predicates, and never fails.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum cursor_place {
	CURSOR_NOWHERE, /* in a comment or a string */
	CURSOR_CONTROL, /* in a line that begins with # */
	CURSOR_PROGRAM, /* descriptions, declarations */
	CURSOR_PREDICATE,
	CURSOR_STATEMENTS,
};

/* A clause or declaration, from its first byte to after its last. */
struct cursor_element {
	size_t start, end;
};

struct cursor {
	const char *text;
	size_t length, at;
	enum cursor_place place;
	/* where that line, or the element around the cursor, starts */
	size_t start;
	/* where its descriptions end, if the cursor is behind them */
	size_t head;
	/* where the statement starts, in how many braces */
	size_t statement;
	unsigned braces;
	/* the elements, without the one around the cursor */
	struct cursor_element *others;
	size_t nothers;
};

/* The text is borrowed, the elements are the arena's. */
void cursor_find(struct cursor *cursor, struct arena *arena, const char *text,
		 size_t length, size_t at);
/* Where the identifier that ends at the cursor starts. */
size_t cursor_word(const struct cursor *cursor);
/* The same for a word of a description, with its colons. */
size_t cursor_description(const struct cursor *cursor);
/* Back over blanks, not beyond `least`. */
size_t cursor_before(const struct cursor *cursor, size_t least, size_t at);
/*
 * Where the expression starts that ends at `end`, before a . or ->: args[0],
 * self->x->y, ((struct sock *)arg0).  Equals `end` if there is none.
 */
size_t cursor_object(const struct cursor *cursor, size_t end);
bool cursor_is_word(char c);
/* The byte after a comment, string or control line that is at `at`, or `at`. */
size_t cursor_skip(const char *text, size_t length, size_t at);
