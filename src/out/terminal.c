/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where data meets a terminal.
 *
 * A line of output has two authors.  Who wrote the program chose the formats
 * and literals, and may clear the screen or use colours.  The traced system
 * chose the values: names, strings, characters.  Those must not be obeyed by
 * the terminal (base/visible.h), so every value passes here on its way into
 * the text; formats and literals do not.
 *
 * Structured output escapes in its own way, and knows no terminal.
 */
#include "out/out.h"

#include <string.h>
#include <unistd.h>

void printer_set_file(struct printer *printer, FILE *file)
{
	int fd = file ? fileno(file) : -1;

	printer->file = file;
	printer->is_terminal = fd >= 0 && isatty(fd);
}

bool printer_escapes(const struct printer *printer)
{
	return printer->is_terminal && !printer->structured;
}

void print_data(const struct printer *printer, const char *bytes, size_t count,
		enum visible how, struct text *out)
{
	if (printer_escapes(printer))
		text_add_visible(out, bytes, count, how);
	else
		text_add(out, bytes, count);
}

void print_name(const struct printer *printer, const char *name,
		struct text *out)
{
	print_data(printer, name, strlen(name), VISIBLE_LINE, out);
}

void print_bytes_of(const struct printer *printer,
		    const struct print_value *value, const char *bytes,
		    size_t count, struct text *out)
{
	if (value->is_literal)
		text_add(out, bytes, count);
	else
		print_data(printer, bytes, count,
			   value->is_name ? VISIBLE_LINE : VISIBLE_LINES, out);
}
