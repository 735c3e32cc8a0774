/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strtok: the next word of a string.
 *
 * The delimiters become a set of 256 bits first, so that the string is walked
 * once however many they are.
 */
#include "library.h"

struct tokens {
	const char *p;
	uint64_t cap, from;
	uint64_t set[4];
	const char *delimiters;
	uint64_t cap_delimiters;
	uint64_t wanted; /* stop at: 1 a delimiter, 0 anything else */
	uint64_t result;
};

static long set_turn(uint32_t turn, void *context)
{
	struct tokens *t = context;
	uint64_t byte = byte_at(t->delimiters, turn, t->cap_delimiters);
	uint64_t bit = (uint64_t)1 << (byte & 63);

	if (!byte)
		return 1;
	if (byte < 64)
		t->set[0] |= bit;
	else if (byte < 128)
		t->set[1] |= bit;
	else if (byte < 192)
		t->set[2] |= bit;
	else
		t->set[3] |= bit;
	return 0;
}

static long token_turn(uint32_t turn, void *context)
{
	struct tokens *t = context;
	uint64_t at = t->from + turn;
	uint64_t byte = byte_at(t->p, at, t->cap);
	uint64_t set = byte < 64    ? t->set[0]
		       : byte < 128 ? t->set[1]
		       : byte < 192 ? t->set[2]
				    : t->set[3];

	if (byte && (set >> (byte & 63) & 1) != t->wanted)
		return 0;
	t->result = at;
	return 1;
}

/*
 * The first piece of mem, from position a on, that has none of the bytes of
 * source: SPAN, or SPAN_NONE.
 */
LIBRARY(strtok)
{
	struct tokens t = {
		.p = mem, .cap = CAP_MEM(caps), .from = unknown((uint64_t)a),
		.set = { unknown(0), unknown(0), unknown(0), unknown(0) },
		.delimiters = source, .cap_delimiters = CAP_SOURCE(caps),
	};

	repeat(t.cap_delimiters, set_turn, &t);
	t.result = t.cap;
	repeat(t.cap + 1, token_turn, &t);
	uint64_t start = t.result;

	if (!byte_at(mem, start, CAP_MEM(caps)))
		return SPAN_NONE;
	t.from = unknown(start);
	t.wanted = 1;
	repeat(t.cap + 1, token_turn, &t);
	return SPAN(start, t.result - start);
}
