/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of the network and of links as text. */
#include "library.h"

/* Where the text goes; `at` grows. */
struct writer {
	char *to;
	uint64_t cap, at;
	const char *from;
	uint64_t cap_from;
	uint64_t best, best_end, run;
};

static void put(struct writer *w, uint64_t byte)
{
	put_byte(w->to, w->at, w->cap, byte);
	w->at++;
}

static void put_hex_digit(struct writer *w, uint64_t digit)
{
	put(w, digit < 10 ? digit + '0' : digit + 'a' - 10);
}

static long quad_turn(uint32_t turn, void *context)
{
	struct writer *w = context;
	uint64_t byte = byte_at(w->from, w->run + turn, w->cap_from);

	if (turn)
		put(w, '.');
	if (byte >= 100)
		put(w, '0' + byte / 100);
	if (byte >= 10)
		put(w, '0' + byte / 10 % 10);
	put(w, '0' + byte % 10);
	return 0;
}

INLINE struct writer writer_of(char *mem, const char *source, uint64_t caps)
{
	return (struct writer){
		.to = mem,
		.cap = CAP_MEM(caps) - 1,
		.at = unknown(0),
		.from = source,
		.cap_from = CAP_SOURCE(caps),
		.run = unknown(0),
	};
}

/* mem (zeroed) = the 4 bytes of source as a dotted quad. */
LIBRARY(inet4)
{
	struct writer w = writer_of(mem, source, caps);

	repeat(4, quad_turn, &w);
	return 0;
}

/* --------------------------------------------------------------------- IPv6 */

static uint64_t group(const struct writer *w, uint64_t i)
{
	return byte_at(w->from, i * 2, w->cap_from) << 8 |
	       byte_at(w->from, i * 2 + 1, w->cap_from);
}

/* The first longest run of zero groups: best .. best_end. */
static long run_turn(uint32_t turn, void *context)
{
	struct writer *w = context;

	if (group(w, turn)) {
		w->run = turn + 1;
		return 0;
	}
	if (turn + 1 - w->run > w->best_end - w->best) {
		w->best = w->run;
		w->best_end = turn + 1;
	}
	return 0;
}

static long group_turn(uint32_t turn, void *context)
{
	struct writer *w = context;
	uint64_t value = group(w, turn);

	if (turn >= w->best && turn < w->best_end) {
		if (turn == w->best)
			put(w, ':');
		if (turn == 7)
			put(w, ':');
		return 0;
	}
	if (turn)
		put(w, ':');
	if (value >> 12)
		put_hex_digit(w, value >> 12);
	if (value >> 8)
		put_hex_digit(w, value >> 8 & 15);
	if (value >> 4)
		put_hex_digit(w, value >> 4 & 15);
	put_hex_digit(w, value & 15);
	return 0;
}

enum { INET6_QUAD_ONLY = 1, INET6_NO_LONE = 2 };

/*
 * mem (zeroed) = the 16 bytes of source; a: INET6_*.  A lone zero group is
 * shortened unless it is the last one, or lone ones are left alone.
 */
LIBRARY(inet6)
{
	struct writer w = writer_of(mem, source, caps);
	uint64_t high = word_at(source, 0, 16), low = word_at(source, 8, 16);
	uint64_t first = low & 0xffffffff, last = low >> 32;
	bool is_mapped = !high && first == 0xffff0000;
	bool is_compatible = !high && !first && last && last != 0x01000000;

	if (is_mapped || is_compatible) {
		if (!(a & INET6_QUAD_ONLY)) {
			put(&w, ':');
			put(&w, ':');
		}
		if (!(a & INET6_QUAD_ONLY) && is_mapped) {
			put(&w, 'f');
			put(&w, 'f');
			put(&w, 'f');
			put(&w, 'f');
			put(&w, ':');
		}
		w.run = unknown(12);
		w.at = unknown(w.at);
		repeat(4, quad_turn, &w);
		return 0;
	}
	w.best = unknown(0);
	w.best_end = unknown(0);
	repeat(8, run_turn, &w);
	if (w.best_end - w.best == 1 && (w.best == 7 || (a & INET6_NO_LONE)))
		w.best_end = w.best;
	w.best = unknown(w.best);
	w.best_end = unknown(w.best_end);
	w.at = unknown(w.at);
	repeat(8, group_turn, &w);
	return 0;
}

/* --------------------------------------------------------------------- links */

static long link_turn(uint32_t turn, void *context)
{
	struct writer *w = context;
	uint64_t byte = byte_at(w->from, turn, w->cap_from);

	if (turn)
		put(w, ':');
	put_hex_digit(w, byte >> 4);
	put_hex_digit(w, byte & 15);
	return 0;
}

/* mem (zeroed) = the bytes of source, a of them. */
LIBRARY(link)
{
	struct writer w = writer_of(mem, source, caps);

	repeat((uint64_t)a, link_turn, &w);
	return 0;
}
