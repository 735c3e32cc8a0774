/* SPDX-License-Identifier: Apache-2.0 */
#include "java_string.h"

/* The bytes of a character; 0: they do not fit before `end`. */
static unsigned put_character(char *at, const char *end, uint32_t c)
{
	unsigned length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const uint8_t marks[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (at + length > end)
		return 0;
	for (unsigned i = length; i-- > 1; c >>= 6)
		at[i] = (char)(0x80 | (c & 0x3f));
	at[0] = (char)(marks[length] | c);
	return length;
}

static bool is_high(uint32_t c)
{
	return (c & 0xfc00) == 0xd800;
}

static bool is_low(uint32_t c)
{
	return (c & 0xfc00) == 0xdc00;
}

void string_copy(jni_env jni, jvm_object string, char *to, size_t room)
{
	enum { PIECE = 64 };
	const char *end = to + room - 1;
	uint16_t piece[PIECE];
	uint32_t high = 0;
	int32_t length = JNI_GetStringLength(jni)(jni, string);

	for (int32_t at = 0; at < length && to < end; at += PIECE) {
		int32_t n = length - at < PIECE ? length - at : PIECE;

		JNI_GetStringRegion(jni)(jni, string, at, n, piece);
		for (int32_t i = 0; i < n; i++) {
			uint32_t c = piece[i];

			if (is_high(c)) {
				high = c;
				continue;
			}
			if (is_low(c))
				c = high ? 0x10000 + ((high - 0xd800) << 10) +
						    (c - 0xdc00)
					 : 0xfffd;
			high = 0;
			unsigned bytes = put_character(to, end, c);

			to += bytes;
			if (!bytes || !c) {
				*to = '\0';
				return;
			}
		}
	}
	*to = '\0';
}
