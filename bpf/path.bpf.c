/* SPDX-License-Identifier: Apache-2.0 */
/* Paths as text: basename, dirname, cleanpath. */
#include "library.h"

/* mem (zeroed) = last component of source. */
LIBRARY(basename)
{
	uint64_t cap = CAP_SOURCE(caps), length = part_length(source, cap);
	uint64_t end = part_last(source, cap, length, '/', 1) + 1;

	if (!end) {
		put_byte(mem, 0, CAP_MEM(caps) - 1, length ? '/' : '.');
		return 0;
	}
	uint64_t start = part_last(source, cap, end, '/', 0) + 1;

	part_copy(mem, source, caps, (uint64_t)SPAN(start, end - start));
	return 0;
}

/* mem (zeroed) = source without its last component. */
LIBRARY(dirname)
{
	uint64_t cap = CAP_SOURCE(caps), length = part_length(source, cap);
	uint64_t end = part_last(source, cap, length, '/', 1) + 1;
	uint64_t slash = end ? part_last(source, cap, end, '/', 0) : 0;

	if (!length || slash == NOWHERE) {
		put_byte(mem, 0, CAP_MEM(caps) - 1, '.');
		return 0;
	}
	uint64_t parent = part_last(source, cap, slash, '/', 1) + 1;

	if (!parent)
		put_byte(mem, 0, CAP_MEM(caps) - 1, '/');
	else
		part_copy(mem, source, caps, (uint64_t)SPAN(0, parent));
	return 0;
}

/* ---------------------------------------------------------------- cleanpath */

/*
 * From right to left, so that a ".." is known before the component it removes:
 * it is counted, and the next component that is not ".." is dropped for it.
 * Bytes are written to the end of the result as they are read and removed if
 * the component turns out to be dropped; finally everything moves to the front.
 */
struct cleaning {
	char *to;
	const char *from;
	uint64_t caps;
	uint64_t length;    /* of the source */
	uint64_t end;	    /* of the component */
	uint64_t out, kept; /* where the last byte is, that of a whole one */
	uint64_t up;	    /* components to be dropped */
	uint64_t zero;	    /* unknown(0) */
};

/* Is the component at `start` "." (1), ".." (2), empty (0) or other (3)? */
static uint64_t kind_of(const struct cleaning *c, uint64_t start)
{
	uint64_t length = fresh(c->end - start);
	uint64_t text = piece_at(c->from, start, CAP_SOURCE(c->caps));
	uint64_t kind = 3;

	if (length < 3 &&
	    low_bytes(text, length) == low_bytes('.' | '.' << 8, length))
		kind = length;
	return kind + c->zero;
}

static long cleaning_turn(uint32_t turn, void *context)
{
	struct cleaning *c = context;
	uint64_t at = c->length - turn; /* after the byte */
	uint64_t byte = byte_at(c->from, at - 1, CAP_SOURCE(c->caps));
	uint64_t is_last = fresh(at) == 0;

	if (!is_last && byte != '/') {
		c->out--;
		put_byte(c->to, c->out, CAP_MEM(c->caps), byte);
		return 0;
	}
	uint64_t kind = kind_of(c, at), change = 0;

	c->end = at - 1;
	if (kind == 2) {
		change = 1;
	} else if (kind == 3) {
		if (!fresh(c->up)) {
			c->kept = --c->out;
			put_byte(c->to, c->out, CAP_MEM(c->caps), '/');
			return (long)is_last;
		}
		change = NOWHERE;
	}
	c->up += change + c->zero;
	c->out = c->kept;
	return (long)is_last;
}

/* ".."s that removed no component stay, unless they are at the root. */
static long parent_turn(uint32_t turn, void *context)
{
	struct cleaning *c = context;
	uint64_t cap = CAP_MEM(c->caps);

	if (turn >= fresh(c->up))
		return 1;
	c->out -= 3;
	put_byte(c->to, c->out, cap, '/');
	put_byte(c->to, c->out + 1, cap, '.');
	put_byte(c->to, c->out + 2, cap, '.');
	return 0;
}

struct cutting {
	char *to;
	uint64_t cap, length;
};

static long cutting_turn(uint32_t turn, void *context)
{
	struct cutting *c = context;
	uint64_t at = (uint64_t)turn * 8, word = 0;

	if (at < c->length)
		word = low_bytes(word_at(c->to, at, c->cap), c->length - at);
	put_word(c->to, at, c->cap, word);
	return 0;
}

/* mem (zeroed, as large as source) = source, cleaned. */
LIBRARY(cleanpath)
{
	uint64_t cap = CAP_MEM(caps);
	uint64_t first = byte_at(source, 0, CAP_SOURCE(caps));
	struct cleaning c = {
		.to = mem, .from = source, .caps = caps, .up = unknown(0),
		.zero = unknown(0),
		.length = part_length(source, CAP_SOURCE(caps)),
		.out = unknown(cap), .kept = unknown(cap),
	};

	if (!first)
		return 0;
	c.end = c.length;
	repeat(CAP_SOURCE(caps) + 1, cleaning_turn, &c);
	if (first != '/') {
		repeat(CAP_SOURCE(caps), parent_turn, &c);
		c.out++;
	}
	/* Nothing is left: the root, or here. */
	if (c.out >= cap) {
		c.out = cap - 1;
		put_byte(mem, c.out, cap, first == '/' ? '/' : '.');
	}
	struct cutting cut = { mem, cap, unknown(cap - c.out) };

	part_copy(mem, mem, CAPS(cap, cap), (uint64_t)SPAN(c.out, cut.length));
	repeat(padded(cap) >> 3, cutting_turn, &cut);
	return 0;
}
