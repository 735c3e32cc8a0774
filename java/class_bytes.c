/* SPDX-License-Identifier: Apache-2.0 */
#include "class_bytes.h"

#include <stdlib.h>
#include <string.h>

bool in_has(struct in *in, size_t count)
{
	if (!in->is_bad && count <= in->size - in->at)
		return true;
	in->is_bad = true;
	return false;
}

uint32_t in_get(struct in *in, unsigned count)
{
	uint32_t value = 0;

	if (!in_has(in, count))
		return 0;
	for (unsigned i = 0; i < count; i++)
		value = value << 8 | in->bytes[in->at++];
	return value;
}

void in_skip(struct in *in, size_t count)
{
	if (in_has(in, count))
		in->at += count;
}

struct in in_part(struct in *in, size_t count)
{
	struct in inner = { .is_bad = true };

	if (in_has(in, count))
		inner = (struct in){ in->bytes + in->at, count, 0, false };
	in_skip(in, count);
	return inner;
}

uint32_t bytes_word(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[2] << 8 | at[3];
}

uint32_t bytes_half(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

void out_bytes(struct out *out, const void *bytes, size_t count)
{
	if (out->is_bad || !count)
		return;
	if (count > out->room - out->size) {
		size_t room = 2 * out->room + count + 256;
		uint8_t *grown = realloc(out->bytes, room);

		if (!grown) {
			out->is_bad = true;
			return;
		}
		out->bytes = grown;
		out->room = room;
	}
	memcpy(out->bytes + out->size, bytes, count);
	out->size += count;
}

void out_put(struct out *out, uint32_t value, unsigned count)
{
	uint8_t bytes[4];

	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * (count - 1 - i));
	out_bytes(out, bytes, count);
}

void out_put_at(struct out *out, size_t at, uint32_t value, unsigned count)
{
	for (unsigned i = 0; i < count && !out->is_bad; i++)
		out->bytes[at + i] = (uint8_t)(value >> 8 * (count - 1 - i));
}
