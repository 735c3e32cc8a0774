/* SPDX-License-Identifier: Apache-2.0 */
#include "live/tape.h"

#include <stdlib.h>

#include "base/arena.h"
#include "facts/recording.h"
#include "facts/wire.h"

static void reel_begin(struct tape *tape)
{
	struct tape_reel *reel = must_alloc(sizeof(*reel));

	if (tape->last)
		tape->last->next = reel;
	else
		tape->first = reel;
	tape->last = reel;
}

static size_t reel_bytes(const struct tape_reel *reel)
{
	return reel->names.n + reel->events.n + reel->times.n;
}

static void reel_free(struct tape *tape)
{
	struct tape_reel *reel = tape->first;

	tape->bytes -= reel_bytes(reel);
	tape->first = reel->next;
	if (!tape->first)
		tape->last = NULL;
	text_free(&reel->names);
	text_free(&reel->events);
	text_free(&reel->times);
	free(reel);
}

void tape_free(struct tape *tape)
{
	while (tape->first)
		reel_free(tape);
	text_free(&tape->program);
	text_free(&tape->piece);
	tape->bytes = 0;
}

/* One whole entry, with its length. */
static void add_entry(struct tape *tape, uint8_t type, const char *bytes,
		      size_t n, int64_t now)
{
	struct tape_event event = { .t = now, .n = (uint32_t)n };

	if (!tape->last || type == ENTRY_FORGET)
		reel_begin(tape);
	switch (type) {
	case ENTRY_FORGET:
		return;
	case ENTRY_START:
	case ENTRY_OPTION:
	case ENTRY_PROBE:
	case ENTRY_OBJECT:
	case ENTRY_CLAUSE:
	case ENTRY_AGGREGATION:
		text_add(&tape->program, bytes, n);
		break;
	case ENTRY_FRAME:
	case ENTRY_ADDRESS:
		text_add(&tape->last->names, bytes, n);
		break;
	default:
		text_add(&tape->last->events, bytes, n);
		text_add(&tape->last->times, (const char *)&event,
			 sizeof(event));
		tape->bytes += sizeof(event);
	}
	tape->bytes += n;
	if (tape->bytes > tape->limit) {
		tape_free(tape);
		tape->is_torn = true;
	}
}

/* The length of the entry at the start, with the bytes of the length. */
static bool entry_length(const uint8_t *bytes, size_t n, size_t *length,
			 size_t *head)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n && i < 6; i++) {
		value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
		if (bytes[i] & 0x80)
			continue;
		*head = i + 1;
		*length = (size_t)value + i + 1;
		return true;
	}
	return false;
}

void tape_add(struct tape *tape, const void *bytes, size_t n, int64_t now)
{
	struct text *piece = &tape->piece;
	size_t at = 0, length, head;

	if (tape->is_torn)
		return;
	text_add(piece, bytes, n);
	if (!tape->has_magic) {
		at = sizeof(RECORDING_MAGIC) - 1;
		if (piece->n < at)
			return;
		tape->has_magic = true;
	}
	while (entry_length((uint8_t *)piece->p + at, piece->n - at, &length,
			    &head)) {
		if (length > tape->limit || length == head) {
			tape_free(tape);
			tape->is_torn = true;
			return;
		}
		if (length > piece->n - at)
			break;
		add_entry(tape, (uint8_t)piece->p[at + head], piece->p + at,
			  length, now);
		if (tape->is_torn)
			return;
		at += length;
	}
	memmove(piece->p, piece->p + at, piece->n - at);
	piece->n -= at;
}

/* Bytes that are gone leave their text when they are more than the others. */
static void reel_pack(struct tape *tape, struct tape_reel *reel)
{
	size_t gone = reel->first_event * sizeof(struct tape_event);

	if (reel->passed < reel->events.n / 2)
		return;
	memmove(reel->events.p, reel->events.p + reel->passed,
		reel->events.n - reel->passed);
	memmove(reel->times.p, reel->times.p + gone, reel->times.n - gone);
	reel->events.n -= reel->passed;
	reel->times.n -= gone;
	tape->bytes -= reel->passed + gone;
	reel->passed = 0;
	reel->first_event = 0;
}

void tape_expire(struct tape *tape, int64_t t)
{
	while (tape->first) {
		struct tape_reel *reel = tape->first;
		size_t count = reel->times.n / sizeof(struct tape_event);
		const struct tape_event *events = (const void *)reel->times.p;

		for (; reel->first_event < count &&
		       events[reel->first_event].t < t;
		     reel->first_event++)
			reel->passed += events[reel->first_event].n;
		if (reel->first_event < count || !reel->next) {
			if (reel->passed)
				reel_pack(tape, reel);
			return;
		}
		reel_free(tape);
	}
}

void tape_write(struct text *out, const struct tape *tape)
{
	text_puts(out, RECORDING_MAGIC);
	text_add(out, text_str(&tape->program), tape->program.n);
	for (const struct tape_reel *reel = tape->first; reel;
	     reel = reel->next) {
		if (reel != tape->first) {
			const char forget[] = { ENTRY_FORGET };

			wire_put_bytes(out, forget, sizeof(forget));
		}
		text_add(out, text_str(&reel->names), reel->names.n);
		if (reel->events.n)
			text_add(out, reel->events.p + reel->passed,
				 reel->events.n - reel->passed);
	}
}
