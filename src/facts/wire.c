/* SPDX-License-Identifier: Apache-2.0 */
#include "facts/wire.h"

#include <string.h>

#include "base/arena.h"

enum { SEVEN = 0x7f, MORE = 0x80 };

void wire_put(struct text *out, uint64_t number)
{
	char bytes[10];
	size_t n = 0;

	while (number > SEVEN) {
		bytes[n++] = (char)((number & SEVEN) | MORE);
		number >>= 7;
	}
	bytes[n++] = (char)number;
	text_add(out, bytes, n);
}

void wire_put_signed(struct text *out, int64_t number)
{
	wire_put(out, ((uint64_t)number << 1) ^ (uint64_t)(number >> 63));
}

void wire_put_bytes(struct text *out, const void *bytes, size_t count)
{
	wire_put(out, count);
	text_add(out, bytes, count);
}

/* The stored length is one more than the real one: 0 means no text. */
void wire_put_text(struct text *out, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	wire_put(out, text ? length + 1 : 0);
	text_add(out, text ? text : "", length);
}

void wire_put_trimmed(struct text *out, const uint8_t *bytes, size_t count)
{
	while (count && !bytes[count - 1])
		count--;
	wire_put_bytes(out, bytes, count);
}

static uint64_t fail(struct wire *wire)
{
	wire->is_bad = true;
	wire->at = wire->end;
	return 0;
}

uint64_t wire_get(struct wire *wire)
{
	uint64_t number = 0;

	for (unsigned shift = 0; shift < 64 && wire->at < wire->end;
	     shift += 7) {
		uint8_t byte = *wire->at++;

		/* the tenth byte has only one usable bit */
		if (shift == 63 && byte > 1)
			return fail(wire);
		number |= (uint64_t)(byte & SEVEN) << shift;
		if (!(byte & MORE))
			return number;
	}
	return fail(wire);
}

uint32_t wire_get_below(struct wire *wire, uint32_t limit)
{
	uint64_t number = wire_get(wire);

	return number < limit ? (uint32_t)number : (uint32_t)fail(wire);
}

int64_t wire_get_signed(struct wire *wire)
{
	uint64_t number = wire_get(wire);

	return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

uint32_t wire_get_count(struct wire *wire)
{
	uint64_t count = wire_get(wire);

	return count <= (uint64_t)(wire->end - wire->at) && count < UINT32_MAX
		       ? (uint32_t)count
		       : (uint32_t)fail(wire);
}

const uint8_t *wire_get_bytes(struct wire *wire, size_t *count)
{
	uint64_t length = wire_get(wire);

	if (length > (uint64_t)(wire->end - wire->at))
		length = fail(wire);
	const uint8_t *bytes = wire->at;

	*count = (size_t)length;
	wire->at += length;
	return bytes;
}

const char *wire_get_text(struct wire *wire, struct arena *arena)
{
	uint64_t length = wire_get(wire);

	if (!length)
		return NULL;
	if (--length > (uint64_t)(wire->end - wire->at)) {
		fail(wire);
		return "";
	}
	const char *text = (const char *)wire->at;

	wire->at += length;
	return arena_strndup(arena, text, (size_t)length);
}

void wire_get_trimmed(struct wire *wire, uint8_t *bytes, size_t size)
{
	size_t count;
	const uint8_t *from = wire_get_bytes(wire, &count);

	if (count > size) {
		fail(wire);
		count = 0;
	}
	if (count)
		memcpy(bytes, from, count);
	if (size > count)
		memset(bytes + count, 0, size - count);
}

void wire_check(struct wire *wire, bool is_right)
{
	if (!is_right)
		fail(wire);
}
