/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Text that grows: what printers and messages are built in.  Always
 * NUL-terminated once something was added; zero-initialise, free at the end.
 */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text {
	char *p;
	size_t n, capacity;
};

/* Room for so many bytes and a NUL. */
void text_reserve(struct text *text, size_t more);

/* Inline, because most of printing is this. */
static inline void text_add(struct text *text, const char *bytes, size_t count)
{
	if (count >= text->capacity - text->n)
		text_reserve(text, count);
	if (count)
		memcpy(text->p + text->n, bytes, count);
	text->n += count;
	text->p[text->n] = '\0';
}

static inline void text_putc(struct text *text, char c)
{
	if (text->capacity - text->n < 2)
		text_reserve(text, 1);
	text->p[text->n++] = c;
	text->p[text->n] = '\0';
}

void text_puts(struct text *text, const char *string);
void text_printf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *text, const char *format, va_list args);
/* The number, in decimal. */
void text_put_number(struct text *text, uint64_t number);
/* Digits of a number, the last one before `end`; where they begin. */
char *text_digits(char *end, uint64_t number, unsigned base,
		  const char *letters);
void text_fill(struct text *text, char c, size_t count);
void text_clear(struct text *text); /* keeps the memory */
void text_free(struct text *text);
/* The text as a C string, never NULL. */
const char *text_str(const struct text *text);
