/* SPDX-License-Identifier: Apache-2.0 */
#include "base/visible.h"

size_t utf8_length(const uint8_t *bytes, size_t count, uint32_t *point)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = bytes[0] < 0x80			      ? 1
			: bytes[0] >= 0xc2 && bytes[0] < 0xe0 ? 2
			: bytes[0] >= 0xe0 && bytes[0] < 0xf0 ? 3
			: bytes[0] >= 0xf0 && bytes[0] < 0xf5 ? 4
							      : 0;

	if (!length || length > count)
		return 0;
	*point = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (bytes[i] & 0x3f);
	}
	if (*point < least[length] || *point > 0x10ffff ||
	    (*point >= 0xd800 && *point < 0xe000))
		return 0;
	return length;
}

/* What a terminal interprets, or what makes it show something else. */
static bool is_control(uint32_t point, enum visible how)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x00, 0x1f },	    { 0x7f, 0x9f },	{ 0x061c, 0x061c },
		{ 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 },
	};

	if (how == VISIBLE_LINES && (point == '\n' || point == '\t'))
		return false;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	return false;
}

/* Bytes up to the next one to be changed. */
static size_t good_bytes(const uint8_t *bytes, size_t count, enum visible how)
{
	size_t at = 0;

	while (at < count) {
		uint32_t point;
		size_t length;

		if (bytes[at] >= ' ' && bytes[at] <= '~') {
			at++;
			continue;
		}
		length = utf8_length(bytes + at, count - at, &point);
		if (!length || is_control(point, how))
			break;
		at += length;
	}
	return at;
}

bool is_visible(const char *bytes, size_t count, enum visible how)
{
	return good_bytes((const uint8_t *)bytes, count, how) == count;
}

void text_add_visible(struct text *out, const char *bytes, size_t count,
		      enum visible how)
{
	const uint8_t *at = (const uint8_t *)bytes, *end = at + count;

	while (at < end) {
		size_t good = good_bytes(at, (size_t)(end - at), how);
		uint32_t point;

		text_add(out, (const char *)at, good);
		at += good;
		if (at == end)
			break;
		size_t bad = utf8_length(at, (size_t)(end - at), &point);

		for (bad = bad ? bad : 1; bad; bad--)
			text_printf(out, "\\%03o", *at++);
	}
}
