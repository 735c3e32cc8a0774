/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON text: strings, names, D values.
 *
 * Strings of traced programs are bytes.  Valid UTF-8 stays as it is; any other
 * byte b becomes the lone surrogate U+DC00 + b, which readers like Python's
 * turn back into the byte, so that nothing is lost.
 */
#include "sink/json_text.h"

#include <string.h>

#include "base/visible.h"

void json_put_string(struct text *out, const char *bytes, size_t n)
{
	const uint8_t *at = (const uint8_t *)bytes, *end = at + n;

	text_putc(out, '"');
	while (at < end) {
		uint32_t point;
		size_t length = utf8_length(at, (size_t)(end - at), &point);

		if (!length) {
			text_printf(out, "\\udc%02x", *at++);
			continue;
		}
		if (*at == '"' || *at == '\\')
			text_printf(out, "\\%c", *at);
		else if (*at == '\n')
			text_puts(out, "\\n");
		else if (*at == '\t')
			text_puts(out, "\\t");
		else if (!is_visible((const char *)at, length, VISIBLE_LINE))
			text_printf(out, "\\u%04x", point);
		else
			text_add(out, (const char *)at, length);
		at += length;
	}
	text_putc(out, '"');
}

void json_word(struct text *out, const char *word)
{
	if (word)
		json_put_string(out, word, strlen(word));
	else
		text_puts(out, "null");
}

void json_name(struct text *out, const char *name)
{
	if (out->n && out->p[out->n - 1] != '{')
		text_puts(out, ", ");
	json_word(out, name);
	text_puts(out, ": ");
}

static void put_integer(const struct fact_value *value, struct text *out)
{
	long long number = fact_integer(value);

	if (value->is_signed)
		text_printf(out, "%lld", number);
	else
		text_printf(out, "%llu", (unsigned long long)number);
}

/* Lines of text, one element each. */
static void put_lines(const struct text *text, struct text *out)
{
	const char *at = text_str(text), *end = at + text->n;
	bool is_first = true;

	text_putc(out, '[');
	while (at < end) {
		const char *line = memchr(at, '\n', (size_t)(end - at));
		size_t n = line ? (size_t)(line - at) : (size_t)(end - at);

		if (n && !is_first)
			text_puts(out, ", ");
		if (n) {
			json_put_string(out, at, n);
			is_first = false;
		}
		at += n + 1;
	}
	text_putc(out, ']');
}

void json_value(const struct renderer *renderer, const struct fact_value *value,
		struct text *out)
{
	struct text text = { 0 };

	switch (value->kind) {
	case FACT_INTEGER:
		put_integer(value, out);
		break;
	case FACT_STRING:
		json_put_string(out, (const char *)value->bytes,
				fact_length(value));
		break;
	case FACT_SYMBOL:
		render_symbol(renderer, value, &text);
		json_put_string(out, text_str(&text), text.n);
		break;
	case FACT_STACK:
		render_stack(renderer, value, 0, &text);
		put_lines(&text, out);
		break;
	default:
		text_puts(out, "{\"hex\": \"");
		for (uint32_t i = 0; i < value->size; i++)
			text_printf(out, "%02x", value->bytes[i]);
		text_puts(out, "\"}");
		break;
	}
	text_free(&text);
}
