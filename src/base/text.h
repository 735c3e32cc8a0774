/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Text that grows: what printers and messages are built in.  Always
 * NUL-terminated once something was added; zero-initialise, free at the end.
 */

#include <stdarg.h>
#include <stddef.h>

struct text {
	char *p;
	size_t n, capacity;
};

void text_add(struct text *text, const char *bytes, size_t count);
void text_puts(struct text *text, const char *string);
void text_putc(struct text *text, char c);
void text_printf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *text, const char *format, va_list args);
void text_clear(struct text *text);	/* keeps the memory */
void text_free(struct text *text);
/* The text as a C string, never NULL. */
const char *text_str(const struct text *text);
