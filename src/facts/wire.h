/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Numbers and texts as bytes, for recordings and for the wire.
 *
 * Numbers have 7 bits per byte, the lowest first; the high bit means that more
 * follow.  Signed ones are zigzag-encoded, so that small ones stay short.
 * Texts and bytes are preceded by their length.
 *
 * A reader never reads past its end.  Malformed input makes it bad, and from
 * then on everything reads as 0 or "": one check at the end is enough.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct arena;

void wire_put(struct text *out, uint64_t number);
void wire_put_signed(struct text *out, int64_t number);
void wire_put_bytes(struct text *out, const void *bytes, size_t count);
void wire_put_text(struct text *out, const char *text); /* NULL: none */
/* Without trailing zeros. */
void wire_put_trimmed(struct text *out, const uint8_t *bytes, size_t count);

struct wire {
	const uint8_t *at, *end;
	bool is_bad;
};

uint64_t wire_get(struct wire *wire);
/* A number that must be below `limit`. */
uint32_t wire_get_below(struct wire *wire, uint32_t limit);
int64_t wire_get_signed(struct wire *wire);
/* The number of items that follow, of at least one byte each. */
uint32_t wire_get_count(struct wire *wire);
/* A pointer to the bytes in place, not a copy. */
const uint8_t *wire_get_bytes(struct wire *wire, size_t *count);
/* A copy that ends in NUL; NULL: there was none. */
const char *wire_get_text(struct wire *wire, struct arena *arena);
/* `size` bytes, padded with zeros. */
void wire_get_trimmed(struct wire *wire, uint8_t *bytes, size_t size);
/* Marks the reader bad if `is_right` does not hold. */
void wire_check(struct wire *wire, bool is_right);
