/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values: bytes of a record become text when nobody gave a format.
 *
 * Two families of forms exist, and they differ on purpose: what trace()
 * prints (wide columns, d-language.md §14.3) and what keys of aggregations
 * print (§12).  A value knows its D type; its size decides the column width,
 * its type the sign.
 *
 * 1. A field need not be in the record: the name of a probe is known from the
 *    record's probe id, a literal from the program.  printer_field() and
 *    printer_key() hide that, everybody else sees bytes.
 * 2. Bytes of a string end at the first NUL or at the field's size, whichever
 *    comes first; a string that fills its field has no NUL.
 */
#include "out/out.h"

#include <string.h>

enum { STRING_WIDTH = 33, KEY_WIDTH = 50, DUMP_ROW = 16 };

static const char *name_of(const struct lower_probe *probe,
			   enum probe_name which)
{
	if (!probe)
		return "<unknown>";
	switch (which) {
	case PROBE_PROVIDER:
		return probe->provider;
	case PROBE_MODULE:
		return probe->module;
	case PROBE_FUNCTION:
		return probe->function;
	case PROBE_NAME:
		return probe->name;
	}
	return "<unknown>";
}

static struct print_value text_value(struct printer *printer,
				     const struct record_field *field,
				     const char *text)
{
	struct type *type = field->type;

	if (!type && printer->types)
		type = types_base(printer->types, BASE_STRING);
	if (!text)
		text = "";
	/* names may be longer than a string can be: cut, without its NUL */
	uint32_t size = (uint32_t)strlen(text) + 1;
	uint64_t limit = type && printer->types ?
		type_size(printer->types, type) : UINT32_MAX;

	return (struct print_value){
		.type = type,
		.bytes = (const uint8_t *)text,
		.size = limit && size > limit + 1 ? (uint32_t)limit : size,
		.is_text = true, .is_name = true,
	};
}

static struct print_value value_of(struct printer *printer,
				   const struct record_field *field,
				   const uint8_t *start)
{
	const struct lower_probe *probe = printer->probe;
	uint32_t id;

	switch (field->form) {
	case FIELD_PROBE_NAME:
		return text_value(printer, field, name_of(probe, field->which));
	case FIELD_PROBE_ID:
		memcpy(&id, start + field->offset, sizeof(id));
		probe = printer->find_probe(printer->context, id);
		return text_value(printer, field, name_of(probe, field->which));
	case FIELD_CONSTANT: {
		struct print_value value = text_value(printer, field,
						      field->constant);

		value.is_literal = true;
		return value;
	}
	case FIELD_BYTES:
		break;
	}
	return (struct print_value){
		.type = field->type,
		.bytes = start + field->offset,
		.size = field->size,
		.function = field->function,
	};
}

struct print_value printer_field(struct printer *printer,
				 const struct record_action *action,
				 uint32_t n, const uint8_t *record)
{
	struct print_value value = value_of(printer, &action->fields[n],
					    record);

	print_complete(printer, &value);
	return value;
}

struct print_value printer_key(struct printer *printer,
			       const struct record_field *key,
			       const uint8_t *bytes)
{
	struct print_value value = value_of(printer, key, bytes);

	/* a row of the table */
	value.is_name = true;
	return value;
}

static bool is_signed(struct types *types, const struct print_value *value)
{
	if (value->is_unsigned_override)
		return false;
	return value->type && type_is_signed(types, value->type);
}

int64_t print_value_integer(struct types *types,
			    const struct print_value *value)
{
	bool sign = is_signed(types, value);
	uint64_t word = 0;

	switch (value->size) {
	case 1: {
		uint8_t byte = value->bytes[0];

		return sign ? (int8_t)byte : byte;
	}
	case 2: {
		uint16_t half;

		memcpy(&half, value->bytes, sizeof(half));
		return sign ? (int16_t)half : half;
	}
	case 4: {
		uint32_t single;

		memcpy(&single, value->bytes, sizeof(single));
		return sign ? (int32_t)single : (int64_t)single;
	}
	default:
		memcpy(&word, value->bytes,
		       value->size < sizeof(word) ? value->size : sizeof(word));
		return (int64_t)word;
	}
}

/* ------------------------------------------------------------ hex dumps */

static bool is_printable(uint8_t c)
{
	return c >= ' ' && c <= '~';
}

void print_hexdump(const uint8_t *bytes, uint32_t size, struct text *out)
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
			text_putc(out, is_printable(bytes[row + i]) ?
					       (char)bytes[row + i] : '.');
		text_putc(out, '\n');
	}
}

/* Printable up to a run of NULs that lasts to the end. */
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

enum print_shape print_value_shape(struct printer *printer,
				   const struct print_value *value)
{
	if (value->is_text)
		return SHAPE_STRING;
	if (!value->type)
		return SHAPE_BYTES;
	struct type *type = type_strip(printer->types, value->type);

	switch (type->kind) {
	case TYPE_STRING:
		return SHAPE_STRING;
	case TYPE_INTEGER:
	case TYPE_ENUM:
	case TYPE_POINTER:
		return SHAPE_INTEGER;
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		return SHAPE_ADDRESS;
	case TYPE_STACK:
		return SHAPE_STACK;
	default:
		return SHAPE_BYTES;
	}
}

static size_t text_length(const struct print_value *value)
{
	return strnlen((const char *)value->bytes, value->size);
}

static void print_string(const struct printer *printer,
			 const struct print_value *value, size_t width,
			 const char *blanks, struct text *out)
{
	text_puts(out, blanks);
	size_t start = out->n;

	print_bytes_of(printer, value, (const char *)value->bytes,
		       text_length(value), out);
	while (out->n < start + width)
		text_putc(out, ' ');
}

static void print_address(struct printer *printer,
			  const struct print_value *value, struct text *out)
{
	struct text text = { 0 };

	print_symbol(printer, value, &text);
	text_printf(out, "  %-*s", KEY_WIDTH, text_str(&text));
	text_free(&text);
}

static void print_frames(struct printer *printer,
			 const struct print_value *value, struct text *out)
{
	print_stack(printer, value,
		    (int)option_number(printer->options, OPTION_STACKINDENT),
		    out);
}

static void print_integer(struct printer *printer,
			  const struct print_value *value, struct text *out)
{
	static const struct { uint32_t size; int width, unsigned_width; }
	columns[] = { { 1, 3, 3 }, { 2, 5, 5 }, { 4, 10, 10 }, { 8, 19, 20 } };
	bool sign = is_signed(printer->types, value);
	long long number = print_value_integer(printer->types, value);
	int width = 0;

	if (!printer->quiet) {
		text_putc(out, ' ');
		for (unsigned i = 0; i < 4; i++)
			if (columns[i].size == value->size)
				width = sign ? columns[i].width :
					       columns[i].unsigned_width;
	}
	if (sign)
		text_printf(out, "%*lld", width, number);
	else
		text_printf(out, "%*llu", width, (unsigned long long)number);
}

static void print_bytes(const struct printer *printer,
			const struct print_value *value, size_t width,
			const char *blanks, struct text *out)
{
	if (is_text_bytes(value->bytes, value->size))
		print_string(printer, value, width, blanks, out);
	else
		print_hexdump(value->bytes, value->size, out);
}

/* Texts are `width` columns wide, between `blanks`. */
static void print_shaped(struct printer *printer,
			 const struct print_value *value,
			 void (*integer)(struct printer *printer,
					 const struct print_value *value,
					 struct text *out),
			 size_t width, const char *blanks, struct text *out)
{
	switch (print_value_shape(printer, value)) {
	case SHAPE_INTEGER:
		integer(printer, value, out);
		return;
	case SHAPE_STRING:
		print_string(printer, value, width, blanks, out);
		return;
	case SHAPE_ADDRESS:
		print_address(printer, value, out);
		return;
	case SHAPE_STACK:
		print_frames(printer, value, out);
		return;
	case SHAPE_BYTES:
		print_bytes(printer, value, width, blanks, out);
		return;
	}
}

void print_default(struct printer *printer, const struct print_value *value,
		   struct text *out)
{
	size_t width = printer->quiet ? 0 : STRING_WIDTH;
	const char *blanks = printer->quiet ? "" : "  ";

	if (option_on(printer->options, OPTION_RAWBYTES)) {
		print_hexdump(value->bytes, value->size, out);
		return;
	}
	print_shaped(printer, value, print_integer, width, blanks, out);
}

/*
 * Eight and four byte keys are shown signed whatever their type: that is what
 * the classic columns do, and what people's scripts cut apart.
 */
static void print_integer_key(struct printer *printer,
			      const struct print_value *value,
			      struct text *out)
{
	long long number = print_value_integer(printer->types, value);

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

void print_key(struct printer *printer, const struct print_value *value,
	       struct text *out)
{
	print_shaped(printer, value, print_integer_key, KEY_WIDTH, "  ", out);
}
