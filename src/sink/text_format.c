/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats at run time: applying them.
 *
 * Numbers are widened to 64 bits according to their D type and passed to libc
 * with the size letters `ll`.  All text is padded here, because its bytes need
 * not end in a NUL.
 *
 * 1. The compiler has checked every value against its conversion; if a value is
 *    missing nevertheless, it prints as 0 or nothing, never as garbage.
 * 2. %@ takes the results of aggregations in order and repeats the last one; a
 *    histogram prints its whole block, whatever the conversion.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "agg/agg.h"
#include "facts/format.h"
#include "sink/render.h"
#include "sink/text_histogram.h"

/* One conversion with its stars replaced by values. */
struct order {
	const struct renderer *renderer;
	const struct conversion_kind *kind;
	unsigned flags;
	int width, precision;
	struct text *out;
};

static const uint8_t zeroes[8];

/* ------------------------------------------------------------------ text */

static void put_padded(const struct order *order, const char *bytes,
		       size_t length)
{
	size_t width = (size_t)order->width;
	size_t blanks = width > length ? width - length : 0;

	if (blanks && !(order->flags & FLAG_LEFT))
		text_fill(order->out, ' ', blanks);
	text_add(order->out, bytes, length);
	if (blanks && order->flags & FLAG_LEFT)
		text_fill(order->out, ' ', blanks);
}

/* The same, truncated to the precision. */
static void put_text(const struct order *order, const char *bytes,
		     size_t length)
{
	if (order->precision && length > (size_t)order->precision)
		length = (size_t)order->precision;
	put_padded(order, bytes, length);
}

/* Bytes from the traced system: made visible on a terminal, then padded. */
static void put_data(const struct order *order, const struct fact_value *value,
		     const char *bytes, size_t length)
{
	struct text shown = { 0 };

	if (!order->renderer->is_visible) {
		put_padded(order, bytes, length);
		return;
	}
	render_bytes(order->renderer, value, bytes, length, &shown);
	put_padded(order, text_str(&shown), shown.n);
	text_free(&shown);
}

/* The same, truncated to the precision. */
static void put_string(const struct order *order,
		       const struct fact_value *value, const char *bytes,
		       size_t length)
{
	if (order->precision && length > (size_t)order->precision)
		length = (size_t)order->precision;
	put_data(order, value, bytes, length);
}

static void escape(struct text *out, uint8_t c)
{
	static const char letters[] = "\aa\bb\ff\nn\rr\tt\vv\"\"\\\\";

	for (const char *letter = letters; *letter; letter += 2) {
		if ((uint8_t)letter[0] != c)
			continue;
		text_putc(out, '\\');
		text_putc(out, letter[1]);
		return;
	}
	if (c >= ' ' && c <= '~')
		text_putc(out, (char)c);
	else
		text_printf(out, c ? "\\%03o" : "\\0", c);
}

static void print_string(const struct order *order,
			 const struct fact_value *value)
{
	put_string(order, value, (const char *)value->bytes,
		   fact_length(value));
}

/* Up to and including the NUL that ends it. */
static void print_escaped_string(const struct order *order,
				 const struct fact_value *value)
{
	struct text text = { 0 };
	size_t length = fact_length(value);

	for (size_t i = 0; i < length; i++)
		escape(&text, value->bytes[i]);
	escape(&text, '\0');
	put_text(order, text_str(&text), text.n);
	text_free(&text);
}

static void print_char(const struct order *order,
		       const struct fact_value *value)
{
	char c = (char)fact_integer(value);

	put_data(order, value, &c, 1);
}

static void print_escaped_char(const struct order *order,
			       const struct fact_value *value)
{
	struct text text = { 0 };

	escape(&text, (uint8_t)fact_integer(value));
	put_padded(order, text_str(&text), text.n);
	text_free(&text);
}

/* Wide characters are Unicode on Linux and are printed as UTF-8. */
static void put_wide(struct text *out, uint32_t c)
{
	if (c < 0x80) {
		text_putc(out, (char)c);
		return;
	}
	if (c >= 0x10000) {
		text_putc(out, (char)(0xf0 | (c >> 18 & 7)));
		text_putc(out, (char)(0x80 | (c >> 12 & 0x3f)));
	} else if (c >= 0x800) {
		text_putc(out, (char)(0xe0 | c >> 12));
	}
	text_putc(out,
		  (char)(c < 0x800 ? 0xc0 | c >> 6 : 0x80 | (c >> 6 & 0x3f)));
	text_putc(out, (char)(0x80 | (c & 0x3f)));
}

static void print_wide_char(const struct order *order,
			    const struct fact_value *value)
{
	struct text text = { 0 };

	put_wide(&text, (uint32_t)fact_integer(value));
	put_data(order, value, text_str(&text), text.n);
	text_free(&text);
}

static void print_wide_string(const struct order *order,
			      const struct fact_value *value)
{
	struct text text = { 0 };

	for (uint32_t i = 0; i + 4 <= value->size; i += 4) {
		uint32_t c;

		memcpy(&c, value->bytes + i, sizeof(c));
		if (!c)
			break;
		put_wide(&text, c);
	}
	put_string(order, value, text_str(&text), text.n);
	text_free(&text);
}

/* --------------------------------------------------------------- numbers */

enum { SPEC_MAX = 24 };

/* "%-0*.*lld": the conversion for libc. */
static void make_spec(const struct order *order, const char *size, char letter,
		      char *spec)
{
	static const struct {
		unsigned flag;
		char letter;
	} flags[] = {
		{ FLAG_ALTERNATE, '#' }, { FLAG_ZERO, '0' },
		{ FLAG_LEFT, '-' },	 { FLAG_PLUS, '+' },
		{ FLAG_GROUP, '\'' },	 { FLAG_SPACE, ' ' },
	};

	*spec++ = '%';
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (order->flags & flags[i].flag)
			*spec++ = flags[i].letter;
	*spec++ = '*';
	if (order->precision) {
		*spec++ = '.';
		*spec++ = '*';
	}
	spec = stpcpy(spec, size);
	*spec++ = letter;
	*spec = '\0';
}

/* %'d: digits in groups, as in the locale. */
static void put_grouped(const struct order *order, char letter, uint64_t number)
{
	char spec[SPEC_MAX];

	make_spec(order, "ll", letter, spec);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (order->precision)
		text_printf(order->out, spec, order->width, order->precision,
			    number);
	else
		text_printf(order->out, spec, order->width, number);
#pragma GCC diagnostic pop
}

/* The prefix before the digits. */
static const char *number_prefix(const struct order *order, char letter,
				 bool is_negative, uint64_t number)
{
	if (letter == 'd' || letter == 'i')
		return is_negative		   ? "-"
		       : order->flags & FLAG_PLUS  ? "+"
		       : order->flags & FLAG_SPACE ? " "
						   : "";
	if (!(order->flags & FLAG_ALTERNATE) || !number)
		return "";
	return letter == 'x' ? "0x" : letter == 'X' ? "0X" : "";
}

/*
 * Most of what is printed is numbers, so they have their own code; the result
 * is what libc's printf would print.
 */
static void put_number(const struct order *order, char letter, uint64_t number)
{
	struct text *out = order->out;
	char buffer[72], *end = buffer + sizeof(buffer);
	bool is_signed = letter == 'd' || letter == 'i';
	bool is_negative = is_signed && (int64_t)number < 0;
	unsigned base = letter == 'o'			 ? 8
			: letter == 'x' || letter == 'X' ? 16
							 : 10;

	if (order->flags & FLAG_GROUP) {
		put_grouped(order, letter, number);
		return;
	}
	const char *prefix = number_prefix(order, letter, is_negative, number);
	char *digits = text_digits(end, is_negative ? 0 - number : number, base,
				   letter == 'X' ? "0123456789ABCDEF"
						 : "0123456789abcdef");

	if (base == 8 && order->flags & FLAG_ALTERNATE && *digits != '0')
		*--digits = '0';
	size_t count = (size_t)(end - digits), width = (size_t)order->width;
	size_t precision = (size_t)order->precision;
	size_t zeros = precision > count ? precision - count : 0;
	size_t used = strlen(prefix) + zeros + count;
	size_t blanks = width > used ? width - used : 0;

	if (blanks && order->flags & FLAG_ZERO && !precision &&
	    !(order->flags & FLAG_LEFT)) {
		zeros = blanks;
		blanks = 0;
	}
	if (blanks && !(order->flags & FLAG_LEFT))
		text_fill(out, ' ', blanks);
	text_puts(out, prefix);
	if (zeros)
		text_fill(out, '0', zeros);
	text_add(out, digits, count);
	if (blanks && order->flags & FLAG_LEFT)
		text_fill(out, ' ', blanks);
}

/* The value as an unsigned number of its own size. */
static uint64_t unsigned_of(const struct fact_value *value)
{
	uint64_t number = (uint64_t)fact_integer(value);

	return value->size >= 8
		       ? number
		       : number & (((uint64_t)1 << value->size * 8) - 1);
}

static void print_signed(const struct order *order,
			 const struct fact_value *value)
{
	put_number(order, 'd', (uint64_t)fact_integer(value));
}

static void print_unsigned(const struct order *order,
			   const struct fact_value *value)
{
	char letter = order->kind->letter;

	if (letter == 'd' || letter == 'i')
		letter = 'u';
	put_number(order, letter, unsigned_of(value));
}

static void print_by_type(const struct order *order,
			  const struct fact_value *value)
{
	if (value->is_signed)
		print_signed(order, value);
	else
		print_unsigned(order, value);
}

static void print_float(const struct order *order,
			const struct fact_value *value)
{
	char spec[SPEC_MAX];
	long double number = 0;
	double narrow;
	float single;

	if (value->size == sizeof(single)) {
		memcpy(&single, value->bytes, sizeof(single));
		number = single;
	} else if (value->size == sizeof(narrow)) {
		memcpy(&narrow, value->bytes, sizeof(narrow));
		number = narrow;
	} else if (value->size >= sizeof(number)) {
		memcpy(&number, value->bytes, sizeof(number));
	}
	make_spec(order, "L", order->kind->letter, spec);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (order->precision)
		text_printf(order->out, spec, order->width, order->precision,
			    number);
	else
		text_printf(order->out, spec, order->width, number);
#pragma GCC diagnostic pop
}

/* ------------------------------------------------------------- addresses */

static void print_address(const struct order *order,
			  const struct fact_value *value)
{
	const struct renderer *renderer = order->renderer;
	struct text text = { 0 };
	uint64_t pair[2] = { renderer->target, 0 };

	/* of a module one address stands for all: which one says nothing */
	if (value->kind == FACT_SYMBOL &&
	    (value->symbol == SYMBOL_MOD || value->symbol == SYMBOL_UMOD)) {
		render_symbol(renderer, value, &text);
		put_padded(order, text_str(&text), text.n);
		text_free(&text);
		return;
	}
	if (value->size == sizeof(pair))
		memcpy(pair, value->bytes, sizeof(pair));
	else
		pair[1] = unsigned_of(value);
	bool is_user = order->kind->letter == 'A' ||
		       value->size == sizeof(pair);

	render_address(renderer, is_user, (uint32_t)pair[0], pair[1], &text);
	put_padded(order, text_str(&text), text.n);
	text_free(&text);
}

/* Left-justified: frames are indented by the width. */
static void print_frames(const struct order *order,
			 const struct fact_value *value)
{
	render_stack(order->renderer, value,
		     order->flags & FLAG_LEFT ? order->width : 0, order->out);
}

/* --------------------------------------------------------- times and names */

static void put_time(const struct order *order, const struct fact_value *value,
		     const char *form)
{
	int64_t ns = (int64_t)unsigned_of(value);
	time_t seconds = ns / 1000000000 - (ns % 1000000000 < 0);
	struct tm parts;
	char text[64];

	if (!localtime_r(&seconds, &parts))
		return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	put_text(order, text, strftime(text, sizeof(text), form, &parts));
#pragma GCC diagnostic pop
}

static void print_date(const struct order *order,
		       const struct fact_value *value)
{
	put_time(order, value, "%Y %b %e %H:%M:%S");
}

static void print_mail_date(const struct order *order,
			    const struct fact_value *value)
{
	put_time(order, value, "%a, %d %b %Y %H:%M:%S %Z");
}

static void print_host(const struct order *order,
		       const struct fact_value *value)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST }, *found = NULL;
	size_t length = fact_length(value);
	char address[INET6_ADDRSTRLEN] = "", host[NI_MAXHOST];

	if (length < sizeof(address))
		memcpy(address, value->bytes, length);
	if (*address && !getaddrinfo(address, NULL, &hints, &found)) {
		int error = getnameinfo(found->ai_addr, found->ai_addrlen, host,
					sizeof(host), NULL, 0, NI_NAMEREQD);

		freeaddrinfo(found);
		if (!error) {
			put_string(order, value, host, strlen(host));
			return;
		}
	}
	print_string(order, value);
}

static void print_service(const struct order *order,
			  const struct fact_value *value)
{
	uint16_t port = (uint16_t)unsigned_of(value);
	const struct servent *service = getservbyport(htons(port), NULL);
	char number[8];

	snprintf(number, sizeof(number), "%u", port);
	const char *text = service ? service->s_name : number;

	put_text(order, text, strlen(text));
}

/* ------------------------------------------------------------- all of it */

typedef void print_function(const struct order *order,
			    const struct fact_value *value);

static print_function *const printers[PRINTS_COUNT] = {
	[PRINTS_BY_TYPE] = print_by_type,
	[PRINTS_SIGNED] = print_signed,
	[PRINTS_UNSIGNED] = print_unsigned,
	[PRINTS_FLOAT] = print_float,
	[PRINTS_CHAR] = print_char,
	[PRINTS_ESCAPED_CHAR] = print_escaped_char,
	[PRINTS_STRING] = print_string,
	[PRINTS_ESCAPED_STRING] = print_escaped_string,
	[PRINTS_WIDE_CHAR] = print_wide_char,
	[PRINTS_WIDE_STRING] = print_wide_string,
	[PRINTS_ADDRESS] = print_address,
	[PRINTS_STACK] = print_frames,
	[PRINTS_DATE] = print_date,
	[PRINTS_MAIL_DATE] = print_mail_date,
	[PRINTS_HOST] = print_host,
	[PRINTS_SERVICE] = print_service,
};

struct values {
	const struct fact_value *next;
	uint32_t left;
	const struct fact_table *table; /* or NULL */
	const struct fact_row *row;
	uint32_t agg;
};

static struct fact_value take(struct values *values)
{
	if (!values->left)
		return (struct fact_value){ .bytes = zeroes, .size = 8 };
	values->left--;
	return *values->next++;
}

static int take_int(struct values *values)
{
	enum { LIMIT = 1 << 20 };
	struct fact_value value = take(values);
	int64_t number = fact_integer(&value);

	return number > LIMIT ? LIMIT : number < -LIMIT ? -LIMIT : (int)number;
}

static void print_result(const struct order *order, struct values *values)
{
	const struct fact_table *table = values->table;
	uint32_t agg = values->agg;
	const struct aggregate *aggregate = table->aggregations[agg]->aggregate;

	if (agg + 1 < table->naggregations)
		values->agg++;
	if (aggregate->range) {
		histogram_block(table->aggregations[agg],
				values->row->values[agg], table->normals[agg],
				order->renderer->options, order->out);
		return;
	}
	int64_t number = aggregate->number(values->row->values[agg],
					   table->normals[agg]);
	struct fact_value value = {
		.kind = FACT_INTEGER,
		.is_signed = !aggregate->is_unsigned,
		.bytes = (const uint8_t *)&number,
		.size = sizeof(number),
	};

	printers[order->kind->prints](order, &value);
}

static void print_conversion(const struct renderer *renderer,
			     const struct conversion *conversion,
			     struct values *values, struct text *out)
{
	struct order order = {
		.renderer = renderer, .kind = conversion->kind,
		.flags = conversion->flags, .width = conversion->width,
		.precision = conversion->precision, .out = out,
	};

	if (order.kind->prints == PRINTS_PERCENT) {
		text_putc(out, '%');
		return;
	}
	if (conversion->takes_width)
		order.width = take_int(values);
	if (order.width < 0) {
		order.width = -order.width;
		order.flags |= FLAG_LEFT;
	}
	if (conversion->takes_precision)
		order.precision = take_int(values);
	if (order.precision < 0)
		order.precision = 0;
	if (!(order.flags & FLAG_AGGREGATION)) {
		struct fact_value value = take(values);

		printers[order.kind->prints](&order, &value);
	} else if (values->table) {
		print_result(&order, values);
	}
}

void render_format(const struct renderer *renderer, const struct format *format,
		   const struct fact_value *values, uint32_t nvalues,
		   const struct fact_table *table, const struct fact_row *row,
		   struct text *out)
{
	struct values supply = {
		.next = values, .left = nvalues, .table = table, .row = row,
	};

	for (const struct conversion *item = format->conversions; item;
	     item = item->next) {
		text_add(out, item->text, item->text_length);
		if (item->kind)
			print_conversion(renderer, item, &supply, out);
	}
}
