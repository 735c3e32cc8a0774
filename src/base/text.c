/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static void reserve(struct text *text, size_t more)
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

void text_add(struct text *text, const char *bytes, size_t count)
{
	reserve(text, count);
	if (count)
		memcpy(text->p + text->n, bytes, count);
	text->n += count;
	text->p[text->n] = '\0';
}

void text_puts(struct text *text, const char *string)
{
	text_add(text, string, strlen(string));
}

void text_putc(struct text *text, char c)
{
	text_add(text, &c, 1);
}

void text_vprintf(struct text *text, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);

	va_end(again);
	if (length < 0)
		return;
	reserve(text, (size_t)length);
	vsnprintf(text->p + text->n, (size_t)length + 1, format, args);
	text->n += (size_t)length;
}

void text_printf(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_vprintf(text, format, args);
	va_end(args);
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
