/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text and back. */
#include "library.h"

struct digits {
	char *to;
	uint64_t cap, value, base, start, count;
};

static long count_turn(uint32_t turn, void *context)
{
	struct digits *d = context;

	d->value /= d->base;
	d->count = turn + 1;
	return !d->value;
}

/* From the last digit to the first. */
static long digit_turn(uint32_t turn, void *context)
{
	struct digits *d = context;
	uint64_t digit = d->value % d->base;

	if (turn >= d->count)
		return 1;
	d->value /= d->base;
	put_byte(d->to, d->start + d->count - 1 - turn, d->cap,
		 digit < 10 ? digit + '0' : digit + 'a' - 10);
	return 0;
}

/* mem (zeroed) = a in base b (2 to 36). */
LIBRARY(lltostr)
{
	uint64_t base = unknown((uint64_t)b), at = unknown(0);
	uint64_t value = unknown((uint64_t)a), cap = CAP_MEM(caps) - 1;
	struct digits d = { mem, cap, 0, base, 0, 0 };

	if (base == 10 && a < 0) {
		put_byte(mem, at++, cap, '-');
		value = -value;
	} else if (base == 16 || (base == 8 && a)) {
		put_byte(mem, at++, cap, '0');
		if (base == 16)
			put_byte(mem, at++, cap, 'x');
	}
	d.start = unknown(at);
	d.value = unknown(value);
	repeat(64, count_turn, &d);
	d.value = unknown(value);
	d.count = unknown(d.count);
	repeat(64, digit_turn, &d);
	return 0;
}

/* ------------------------------------------------------------------- strtoll */

struct number {
	const char *p;
	uint64_t cap, at, base, value;
};

static long blank_turn(uint32_t turn, void *context)
{
	struct number *n = context;
	uint64_t byte = byte_at(n->p, turn, n->cap);

	if (byte == ' ' || byte == '\t')
		return 0;
	n->at = turn;
	return 1;
}

static long number_turn(uint32_t turn, void *context)
{
	struct number *n = context;
	uint64_t byte = byte_at(n->p, n->at + turn, n->cap), digit = 255;

	if (byte >= '0' && byte <= '9')
		digit = byte - '0';
	else if ((byte | 32) >= 'a' && (byte | 32) <= 'z')
		digit = (byte | 32) - 'a' + 10;
	if (digit >= n->base)
		return 1;
	n->value = n->value * n->base + digit;
	return 0;
}

/* The number at the start of mem, in base a (2 to 36); wraps. */
LIBRARY(strtoll)
{
	struct number n = {
		mem, CAP_MEM(caps), 0, unknown((uint64_t)a), unknown(0),
	};

	n.at = n.cap;
	repeat(n.cap, blank_turn, &n);
	uint64_t sign = byte_at(mem, n.at, n.cap);

	if (sign == '-' || sign == '+')
		n.at++;
	if (n.base == 16 && byte_at(mem, n.at, n.cap) == '0' &&
	    (byte_at(mem, n.at + 1, n.cap) | 32) == 'x')
		n.at += 2;
	n.at = unknown(n.at);
	repeat(n.cap, number_turn, &n);
	return (int64_t)(sign == '-' ? -n.value : n.value);
}
