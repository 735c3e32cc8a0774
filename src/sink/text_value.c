/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values become text without a format.
 *
 * There are two families of forms, and they differ on purpose: what trace()
 * prints (wide columns, d-language.md §14.3) and what keys of aggregations
 * print (§12).  A value knows its D type; its size determines the column width,
 * its type the sign.
 *
 * 1. A field need not be in the record: the name of a probe is known from the
 *    record's probe id, a literal from the program.  renderer_field() and
 *    renderer_key() hide that; everything else sees bytes.
 * 2. Bytes of a string end at the first NUL or at the field's size, whichever
 *    comes first; a string that fills its field has no NUL.
 */
#include "sink/render.h"

#include <string.h>

enum { STRING_WIDTH = 33, KEY_WIDTH = 50, DUMP_ROW = 16 };

/* ------------------------------------------------------------ hex dumps */

static bool is_printable(uint8_t c)
{
	return c >= ' ' && c <= '~';
}

void render_hexdump(const uint8_t *bytes, uint32_t size, struct text *out)
{
	text_printf(out, "\n%*s", 5 + 6, "");
	for (uint32_t i = 0; i < DUMP_ROW; i++)
		text_printf(out, "  %x", i);
	text_puts(out, "  0123456789abcdef\n");

	for (uint32_t row = 0; row < size; row += DUMP_ROW) {
		uint32_t n = size - row < DUMP_ROW ? size - row : DUMP_ROW;

		text_printf(out, "%5s%5x:", "", row);
		for (uint32_t i = 0; i < DUMP_ROW; i++) {
			if (i < n)
				text_printf(out, " %02x", bytes[row + i]);
			else
				text_puts(out, "   ");
		}
		text_puts(out, "  ");
		for (uint32_t i = 0; i < n; i++)
			text_putc(out, is_printable(bytes[row + i])
					       ? (char)bytes[row + i]
					       : '.');
		text_putc(out, '\n');
	}
}

/* Printable up to a run of NULs that reaches the end. */
static bool is_text_bytes(const uint8_t *bytes, uint32_t size)
{
	uint32_t i = 0;

	while (i < size && (is_printable(bytes[i]) ||
			    (bytes[i] >= '\a' && bytes[i] <= '\r')))
		i++;
	if (i == 0 || i == size)
		return false;
	while (i < size && !bytes[i])
		i++;
	return i == size;
}

/* ---------------------------------------------------------------- forms */

void render_data(const struct renderer *renderer, const char *bytes,
		 size_t count, enum visible how, struct text *out)
{
	if (renderer->is_visible)
		text_add_visible(out, bytes, count, how);
	else
		text_add(out, bytes, count);
}

void render_name(const struct renderer *renderer, const char *name,
		 struct text *out)
{
	render_data(renderer, name, strlen(name), VISIBLE_LINE, out);
}

void render_bytes(const struct renderer *renderer,
		  const struct fact_value *value, const char *bytes,
		  size_t count, struct text *out)
{
	if (value->is_literal)
		text_add(out, bytes, count);
	else
		render_data(renderer, bytes, count,
			    value->is_name ? VISIBLE_LINE : VISIBLE_LINES, out);
}

static void print_string(const struct renderer *renderer,
			 const struct fact_value *value, size_t width,
			 const char *blanks, struct text *out)
{
	text_puts(out, blanks);
	size_t start = out->n;

	render_bytes(renderer, value, (const char *)value->bytes,
		     fact_length(value), out);
	while (out->n < start + width)
		text_putc(out, ' ');
}

static void print_address(const struct renderer *renderer,
			  const struct fact_value *value, struct text *out)
{
	struct text text = { 0 };

	render_symbol(renderer, value, &text);
	text_printf(out, "  %-*s", KEY_WIDTH, text_str(&text));
	text_free(&text);
}

static void print_frames(const struct renderer *renderer,
			 const struct fact_value *value, struct text *out)
{
	render_stack(renderer, value,
		     (int)option_number(renderer->options, OPTION_STACKINDENT),
		     out);
}

static void print_integer(const struct renderer *renderer,
			  const struct fact_value *value, struct text *out)
{
	static const struct {
		uint32_t size;
		int width, unsigned_width;
	} columns[] = { { 1, 3, 3 }, { 2, 5, 5 }, { 4, 10, 10 }, { 8, 19, 20 } };
	bool sign = value->is_signed;
	long long number = fact_integer(value);
	int width = 0;

	if (!renderer->is_quiet) {
		text_putc(out, ' ');
		for (unsigned i = 0; i < 4; i++)
			if (columns[i].size == value->size)
				width = sign ? columns[i].width
					     : columns[i].unsigned_width;
	}
	if (sign)
		text_printf(out, "%*lld", width, number);
	else
		text_printf(out, "%*llu", width, (unsigned long long)number);
}

static void print_bytes(const struct renderer *renderer,
			const struct fact_value *value, size_t width,
			const char *blanks, struct text *out)
{
	if (is_text_bytes(value->bytes, value->size))
		print_string(renderer, value, width, blanks, out);
	else
		render_hexdump(value->bytes, value->size, out);
}

/* Text is `width` columns wide, between `blanks`. */
static void print_shaped(const struct renderer *renderer,
			 const struct fact_value *value,
			 void (*integer)(const struct renderer *renderer,
					 const struct fact_value *value,
					 struct text *out),
			 size_t width, const char *blanks, struct text *out)
{
	switch (value->kind) {
	case FACT_INTEGER:
		integer(renderer, value, out);
		return;
	case FACT_STRING:
		print_string(renderer, value, width, blanks, out);
		return;
	case FACT_SYMBOL:
		print_address(renderer, value, out);
		return;
	case FACT_STACK:
		print_frames(renderer, value, out);
		return;
	default:
		print_bytes(renderer, value, width, blanks, out);
		return;
	}
}

void render_default(const struct renderer *renderer,
		    const struct fact_value *value, struct text *out)
{
	size_t width = renderer->is_quiet ? 0 : STRING_WIDTH;
	const char *blanks = renderer->is_quiet ? "" : "  ";

	if (option_on(renderer->options, OPTION_RAWBYTES)) {
		render_hexdump(value->bytes, value->size, out);
		return;
	}
	print_shaped(renderer, value, print_integer, width, blanks, out);
}

/*
 * Eight and four byte keys are shown signed, whatever their type: the classic
 * columns do so, and scripts parse them.
 */
static void print_integer_key(const struct renderer *renderer,
			      const struct fact_value *value, struct text *out)
{
	long long number = fact_integer(value);

	(void)renderer;
	switch (value->size) {
	case 1:
		text_printf(out, " %3lld", number);
		return;
	case 2:
		text_printf(out, " %5lld", number);
		return;
	case 4:
		text_printf(out, " %8d", (int)number);
		return;
	default:
		text_printf(out, " %16lld", number);
	}
}

void render_key(const struct renderer *renderer, const struct fact_value *value,
		struct text *out)
{
	print_shaped(renderer, value, print_integer_key, KEY_WIDTH, "  ", out);
}

void render_word(const struct renderer *renderer,
		 const struct fact_value *value, size_t most, struct text *out)
{
	switch (value->kind) {
	case FACT_STRING:
		text_add(out, (const char *)value->bytes, fact_length(value));
		break;
	case FACT_INTEGER:
		text_printf(out, value->is_signed ? "%lld" : "%llu",
			    (long long)fact_integer(value));
		break;
	case FACT_SYMBOL:
		render_symbol(renderer, value, out);
		break;
	default:
		for (uint32_t i = 0; i < value->size && out->n < most; i++)
			text_printf(out, "%02x", value->bytes[i]);
	}
	if (out->n > most)
		out->n = most;
}
