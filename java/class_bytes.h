/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Bytes of class files, which have the highest byte of a number first: reading that
 * never leaves what there is, and writing to memory that grows.  What goes wrong is
 * remembered (is_bad), so that callers can ask once, at the end.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct in {
	const uint8_t *bytes;
	size_t size, at;
	bool is_bad; /* it ends too early */
};

bool in_has(struct in *in, size_t count);
/* A number of 1, 2 or 4 bytes; 0 if it is not there. */
uint32_t in_get(struct in *in, unsigned count);
void in_skip(struct in *in, size_t count);
/* What is at the place, which is not left. */
struct in in_part(struct in *in, size_t count);

/* Of bytes that are known to be there. */
uint32_t bytes_word(const uint8_t *at);
uint32_t bytes_half(const uint8_t *at);

struct out {
	uint8_t *bytes;
	size_t size, room;
	bool is_bad; /* no memory */
};

void out_bytes(struct out *out, const void *bytes, size_t count);
void out_put(struct out *out, uint32_t value, unsigned count);
/* Instead of what was put there. */
void out_put_at(struct out *out, size_t at, uint32_t value, unsigned count);
