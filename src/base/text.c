/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void text_reserve(struct text *text, size_t more)
{
	size_t need = checked_add(checked_add(text->n, more), 1);

	if (need <= text->capacity)
		return;
	size_t capacity = text->capacity ? text->capacity : 128;

	while (capacity < need)
		capacity = checked_mul(capacity, 2);
	text->p = must_realloc(text->p, capacity);
	text->capacity = capacity;
}

void text_puts(struct text *text, const char *string)
{
	text_add(text, string, strlen(string));
}

/* Most texts fit into what is there. */
void text_vprintf(struct text *text, const char *format, va_list args)
{
	size_t room = text->capacity - text->n;
	va_list again;

	va_copy(again, args);
	int length = vsnprintf(text->p ? text->p + text->n : NULL, room, format,
			       again);

	va_end(again);
	if (length >= 0 && (size_t)length >= room) {
		text_reserve(text, (size_t)length);
		vsnprintf(text->p + text->n, (size_t)length + 1, format, args);
	}
	if (length > 0)
		text->n += (size_t)length;
}

void text_printf(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_vprintf(text, format, args);
	va_end(args);
}

/* Decimal has its own way: two digits at a time, by multiplication. */
static char *decimal_digits(char *end, uint64_t number)
{
	static const char pairs[] = "0001020304050607080910111213141516171819"
				    "2021222324252627282930313233343536373839"
				    "4041424344454647484950515253545556575859"
				    "6061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";

	while (number >= 100) {
		end -= 2;
		memcpy(end, pairs + number % 100 * 2, 2);
		number /= 100;
	}
	if (number >= 10) {
		end -= 2;
		memcpy(end, pairs + number * 2, 2);
	} else {
		*--end = (char)('0' + number);
	}
	return end;
}

char *text_digits(char *end, uint64_t number, unsigned base,
		  const char *letters)
{
	if (base == 10)
		return decimal_digits(end, number);
	do {
		*--end = letters[number % base];
		number /= base;
	} while (number);
	return end;
}

void text_put_number(struct text *text, uint64_t number)
{
	char digits[24], *end = digits + sizeof(digits);
	char *start = decimal_digits(end, number);

	text_add(text, start, (size_t)(end - start));
}

void text_fill(struct text *text, char c, size_t count)
{
	text_reserve(text, count);
	memset(text->p + text->n, c, count);
	text->n += count;
	text->p[text->n] = '\0';
}

void text_clear(struct text *text)
{
	text->n = 0;
	if (text->p)
		text->p[0] = '\0';
}

void text_free(struct text *text)
{
	free(text->p);
	*text = (struct text){ 0 };
}

const char *text_str(const struct text *text)
{
	return text->p ? text->p : "";
}
