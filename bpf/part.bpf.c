/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that several functions of the library need. */
#include "library.h"

struct measure {
	const char *p;
	uint64_t cap, result;
};

static long measure_turn(uint32_t turn, void *context)
{
	struct measure *m = context;
	uint64_t at = (uint64_t)turn * 8;
	uint64_t zeros = zero_bytes(word_at(m->p, at, m->cap));

	if (!zeros)
		return 0;
	m->result = at + first_byte(zeros);
	return 1;
}

NOINLINE uint64_t part_length(const char *p, uint64_t cap)
{
	struct measure m = { p, cap, cap };

	repeat(padded(cap) >> 3, measure_turn, &m);
	return unknown(smaller(m.result, cap));
}

/* ------------------------------------------------------------------- search */

struct search {
	const char *p;
	uint64_t cap, end, byte, is_not, result;
};

/* From the last word that begins before the end down to the first. */
static long search_turn(uint32_t turn, void *context)
{
	struct search *s = context;
	uint64_t words = (s->end + 7) >> 3;

	if (turn >= words)
		return 1;
	uint64_t at = (words - 1 - turn) * 8;
	uint64_t word = word_at(s->p, at, s->cap);
	uint64_t marks = zero_bytes(word ^ EACH_BYTE(s->byte));

	if (s->is_not)
		marks ^= EACH_BYTE(0x80);
	marks = low_bytes(marks, s->end - at);
	if (!marks)
		return 0;
	s->result = at + last_byte(marks);
	return 1;
}

NOINLINE uint64_t part_last(const char *p, uint64_t cap, uint64_t end,
			    uint64_t byte, uint64_t is_not)
{
	struct search s = { p, cap, unknown(end), byte, is_not, NOWHERE };

	repeat(padded(cap) >> 3, search_turn, &s);
	return s.result;
}

/* --------------------------------------------------------------------- copy */

struct copy {
	char *to;
	const char *from;
	uint64_t caps, start, length;
};

static long copy_turn(uint32_t turn, void *context)
{
	struct copy *c = context;
	uint64_t at = (uint64_t)turn * 8;

	if (at >= c->length)
		return 1;
	uint64_t word = piece_at(c->from, c->start + at, CAP_SOURCE(c->caps));

	put_word(c->to, at, CAP_MEM(c->caps), low_bytes(word, c->length - at));
	return 0;
}

NOINLINE void part_copy(char *to, const char *from, uint64_t caps,
			uint64_t span)
{
	struct copy c = {
		to, from, caps, unknown(SPAN_START(span)),
		unknown(smaller(SPAN_LENGTH(span), CAP_MEM(caps) - 1)),
	};

	repeat(padded(CAP_MEM(caps)) >> 3, copy_turn, &c);
}
