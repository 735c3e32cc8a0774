/* SPDX-License-Identifier: Apache-2.0 */
/* Strings: finding in them, cutting and joining them. */
#include "library.h"

/* Length of mem. */
LIBRARY(length)
{
	return (int64_t)part_length(mem, CAP_MEM(caps));
}

/* ------------------------------------------------------------------ compare */

struct comparison {
	const char *x, *y;
	uint64_t caps;
	int64_t result;
};

static long comparison_turn(uint32_t turn, void *context)
{
	struct comparison *c = context;
	uint64_t at = (uint64_t)turn * 8;
	uint64_t cap_x = CAP_MEM(c->caps), cap_y = CAP_SOURCE(c->caps);
	uint64_t x = at < cap_x ? word_at(c->x, at, cap_x) : 0;
	uint64_t y = at < cap_y ? word_at(c->y, at, cap_y) : 0;

	/* After its capacity a string is 0. */
	if (at < cap_x)
		x = low_bytes(x, cap_x - at);
	if (at < cap_y)
		y = low_bytes(y, cap_y - at);
	uint64_t ends = zero_bytes(x);

	/* Equal, or different only after the NUL that both have. */
	uint64_t same = zero_bytes(x ^ y);
	uint64_t stops = ends | (same ^ EACH_BYTE(0x80));

	if (!stops)
		return 0;
	uint64_t place = first_byte(stops) * 8;

	x = x >> place & 0xff;
	y = y >> place & 0xff;
	c->result = x < y ? -1 : x > y;
	return 1;
}

/* Order of mem and source: -1, 0, 1. */
LIBRARY(compare)
{
	struct comparison c = { mem, source, caps, 0 };
	uint64_t cap_x = CAP_MEM(caps), cap_y = CAP_SOURCE(caps);

	repeat((cap_x > cap_y ? padded(cap_x) : padded(cap_y)) >> 3,
	       comparison_turn, &c);
	return c.result;
}

/* -------------------------------------------------------------------- blocks */

enum { BLOCK = 64 };

struct block {
	char *p;
	uint64_t cap;
};

static long clear_turn(uint32_t turn, void *context)
{
	struct block *b = context;
	uint64_t at = (uint64_t)turn * BLOCK;

	for (unsigned i = 0; i < BLOCK; i += 8)
		put_word(b->p, at + i, b->cap, 0);
	return 0;
}

/* mem is 0; its capacity is a multiple of 8. */
LIBRARY(clear)
{
	struct block whole = { mem, CAP_MEM(caps) };

	repeat((whole.cap + BLOCK - 1) / BLOCK, clear_turn, &whole);
	return 0;
}

struct twins {
	const char *x, *y;
	uint64_t cap, differs;
};

static long same_turn(uint32_t turn, void *context)
{
	struct twins *t = context;
	uint64_t at = (uint64_t)turn * 32, differs = 0;

	for (unsigned i = 0; i < 32; i += 8)
		differs |= word_at(t->x, at + i, t->cap) ^
			   word_at(t->y, at + i, t->cap);
	if (!differs)
		return 0;
	t->differs = 1;
	return 1;
}

/* Do mem and source have the same bytes?  A multiple of 8 of them. */
LIBRARY(same)
{
	struct twins t = { mem, source, CAP_MEM(caps), 0 };

	repeat((t.cap + 31) / 32, same_turn, &t);
	return !t.differs;
}

struct digest {
	const char *p;
	uint64_t cap, factor, even, odd;
};

static long hash_turn(uint32_t turn, void *context)
{
	struct digest *d = context;
	uint64_t at = (uint64_t)turn * 16;

	/* A product propagates changes upwards only: swap them to come down. */
	d->even = (d->even ^ word_at(d->p, at, d->cap)) * d->factor;
	d->even = __builtin_bswap64(d->even);
	d->odd = (d->odd ^ word_at(d->p, at + 8, d->cap)) * d->factor;
	d->odd = __builtin_bswap64(d->odd);
	return 0;
}

/* A number made of all words of mem; a: the factor. */
LIBRARY(hash)
{
	struct digest d = {
		mem, CAP_MEM(caps), (uint64_t)a, unknown(0),
		unknown((uint64_t)a),
	};

	repeat((d.cap + 15) >> 4, hash_turn, &d);
	return (int64_t)(__builtin_bswap64((d.even ^ d.odd * d.factor) *
					   d.factor) *
			 d.factor);
}

/* ------------------------------------------------------------ cut and joined */

struct joint {
	char *to;
	const char *from;
	uint64_t caps, start, length;
};

/* Bytes of the word at `at` go to start + at: two words share them. */
static long append_turn(uint32_t turn, void *context)
{
	struct joint *j = context;
	uint64_t at = (uint64_t)turn * 8, cap = CAP_MEM(j->caps);

	if (at >= j->length)
		return 1;
	uint64_t word = low_bytes(word_at(j->from, at, CAP_SOURCE(j->caps)),
				  j->length - at);
	uint64_t place = j->start + at, shift = (place & 7) * 8;

	place &= ~(uint64_t)7;
	put_word(j->to, place, cap, word_at(j->to, place, cap) | word << shift);
	if (shift)
		put_word(j->to, place + 8, cap, word >> (64 - shift));
	return 0;
}

/* mem, which is zero after its NUL, gets source appended, truncated to fit. */
LIBRARY(append)
{
	uint64_t cap = CAP_MEM(caps), length = part_length(mem, cap);
	uint64_t more = part_length(source, CAP_SOURCE(caps));
	uint64_t room = length < cap ? cap - 1 - length : 0;
	struct joint j = {
		mem, source, caps, length, unknown(smaller(more, room)),
	};

	repeat(padded(cap) >> 3, append_turn, &j);
	return 0;
}

/* mem (zeroed) = the piece of source at a, of b bytes. */
LIBRARY(piece)
{
	part_copy(mem, source, caps, (uint64_t)SPAN(a, (uint64_t)b));
	return 0;
}

/* mem (zeroed) = substr(source, a, b), in 0-based characters. */
LIBRARY(substr)
{
	int64_t n = (int64_t)part_length(source, CAP_SOURCE(caps));
	int64_t at = a, length = b;

	if (at < 0) {
		at += n;
		if (at < 0 && length > 0 && at + length > 0) {
			length += at;
			at = 0;
		}
	}
	if (at < 0 || at >= n)
		return 0;
	if (length < 0)
		length += n - at;
	if (length <= 0)
		return 0;
	if (length > n - at)
		length = n - at;
	part_copy(mem, source, caps, (uint64_t)SPAN(at, (uint64_t)length));
	return 0;
}

/* --------------------------------------------------------------------- index */

struct needle {
	const char *hay, *sub;
	uint64_t caps, length, from, step, count;
	uint64_t result;
};

struct match {
	const struct needle *n;
	uint64_t at;
	bool differs;
};

static long match_turn(uint32_t turn, void *context)
{
	struct match *m = context;
	const struct needle *n = m->n;
	uint64_t done = (uint64_t)turn * 8;

	if (done >= n->length)
		return 1;
	uint64_t x = piece_at(n->hay, m->at + done, CAP_MEM(n->caps));
	uint64_t y = word_at(n->sub, done, CAP_SOURCE(n->caps));

	if (!low_bytes(x ^ y, n->length - done))
		return 0;
	m->differs = true;
	return 1;
}

static long needle_turn(uint32_t turn, void *context)
{
	struct needle *n = context;

	if (turn >= n->count)
		return 1;
	uint64_t at = n->from + n->step * turn;
	uint64_t x = piece_at(n->hay, at, CAP_MEM(n->caps));
	uint64_t y = word_at(n->sub, 0, CAP_SOURCE(n->caps));

	if (low_bytes(x ^ y, n->length))
		return 0;
	if (n->length > 8) {
		struct match m = { n, at, false };

		repeat(padded(CAP_SOURCE(n->caps)) >> 3, match_turn, &m);
		if (m.differs)
			return 0;
	}
	n->result = at;
	return 1;
}

/* Position of source in mem, from a (below 0: 0) on, or -1. */
LIBRARY(index)
{
	uint64_t length = part_length(mem, CAP_MEM(caps));
	uint64_t sub = part_length(source, CAP_SOURCE(caps));
	uint64_t start = a < 0 ? 0 : (uint64_t)a;

	if (!sub)
		return (int64_t)smaller(start, length);
	if (start >= length || sub > length - start)
		return -1;
	struct needle n = {
		mem, source, caps, unknown(sub), unknown(start), 1,
		unknown(length - start - sub + 1), NOWHERE,
	};

	repeat(CAP_MEM(caps), needle_turn, &n);
	return (int64_t)n.result;
}

/* Last position of source in mem that is not after a, or -1. */
LIBRARY(rindex)
{
	uint64_t length = part_length(mem, CAP_MEM(caps));
	uint64_t sub = part_length(source, CAP_SOURCE(caps));
	uint64_t start = a < 0 ? 0 : smaller((uint64_t)a, length);

	if (!sub)
		return (int64_t)start;
	if (a < 0 || sub > length)
		return -1;
	start = smaller(start, length - sub);
	struct needle n = {
		mem, source, caps, unknown(sub), unknown(start), NOWHERE,
		unknown(start + 1), NOWHERE,
	};

	repeat(CAP_MEM(caps), needle_turn, &n);
	return (int64_t)n.result;
}

/* ---------------------------------------------------------------- characters */

struct character {
	const char *p;
	uint64_t cap, byte, length;
	int64_t result;
};

static long strchr_turn(uint32_t turn, void *context)
{
	struct character *c = context;
	uint64_t at = (uint64_t)turn * 8;
	uint64_t word = word_at(c->p, at, c->cap);
	uint64_t hits = zero_bytes(word ^ EACH_BYTE(c->byte));
	uint64_t both = hits | zero_bytes(word);

	if (!both)
		return 0;
	uint64_t place = first_byte(both);

	if (hits >> (place * 8) & 0x80 && at + place < c->cap)
		c->result = (int64_t)(at + place);
	return 1;
}

/* First position of character a in mem, its NUL included, or -1. */
LIBRARY(strchr)
{
	struct character c = { mem, CAP_MEM(caps), (uint8_t)a, 0, -1 };

	repeat(padded(c.cap) >> 3, strchr_turn, &c);
	return c.result;
}

/* Last position of character a in mem, its NUL included, or -1. */
LIBRARY(strrchr)
{
	uint64_t cap = CAP_MEM(caps), length = part_length(mem, cap);

	if (!(uint8_t)a)
		return length < cap ? (int64_t)length : -1;
	return (int64_t)part_last(mem, cap, length, (uint8_t)a, 0);
}

/* ---------------------------------------------------------------------- case */

struct casing {
	char *to;
	const char *from;
	uint64_t caps, first;
};

static long casing_turn(uint32_t turn, void *context)
{
	struct casing *c = context;
	uint64_t at = (uint64_t)turn * 8, low = EACH_BYTE(0x7f);
	uint64_t word = word_at(c->from, at, CAP_SOURCE(c->caps));
	uint64_t ends = zero_bytes(word);

	if (ends)
		word = low_bytes(word, first_byte(ends));
	/* 0x80 where the byte is at least `first`, and more than first + 25 */
	uint64_t some = (word & low) + EACH_BYTE(0x80) -
			EACH_BYTE(1) * c->first;
	uint64_t more = (word & low) + EACH_BYTE(0x80) -
			EACH_BYTE(1) * (c->first + 26);
	uint64_t letters = some & ~more & ~word & EACH_BYTE(0x80);

	if (at + 1 >= CAP_MEM(c->caps))
		return 1;
	put_word(c->to, at, CAP_MEM(c->caps),
		 low_bytes(word ^ letters >> 2, CAP_MEM(c->caps) - 1 - at));
	return ends != 0;
}

INLINE int64_t change_case(char *mem, const char *source, uint64_t caps,
			   uint64_t first)
{
	struct casing c = { mem, source, caps, first };

	repeat(padded(CAP_SOURCE(caps)) >> 3, casing_turn, &c);
	return 0;
}

/* --------------------------------------------------------------- many in one */

struct joining {
	char *to;
	const char *from;
	uint64_t caps, separator, count;
};

static long joining_turn(uint32_t turn, void *context)
{
	struct joining *c = context;
	uint64_t at = (uint64_t)turn * 8;
	uint64_t word = word_at(c->from, at, CAP_SOURCE(c->caps));
	uint64_t count = fresh(c->count);

	uint64_t ends = zero_bytes(word), is_last = 0;

	if (at >= count)
		return 1;
	if (!c->separator && ends) {
		word = low_bytes(word, first_byte(ends));
		is_last = 1;
	}
	/* 0x80 where the byte is 0 becomes the separator */
	word |= (ends >> 7) * c->separator;
	put_word(c->to, at, CAP_MEM(c->caps), low_bytes(word, count - at));
	return is_last != 0;
}

/* mem (zeroed) = b < cap bytes of source with a for each that is 0. */
LIBRARY(memstr)
{
	struct joining c = { mem, source, caps, (uint8_t)a,
			     unknown((uint64_t)b) };

	repeat(padded(CAP_SOURCE(caps)) >> 3, joining_turn, &c);
	return 0;
}

/* ---------------------------------------------------------------- both cases */

/* mem (zeroed) = source with the ASCII letters changed. */
LIBRARY(tolower)
{
	return change_case(mem, source, caps, 'A');
}

LIBRARY(toupper)
{
	return change_case(mem, source, caps, 'a');
}
