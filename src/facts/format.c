/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading formats.
 *
 * A D format differs from C's in what is optional: the argument's own type
 * determines its size, and for %d also its sign, so size letters add nothing
 * and are checked if present.  Every conversion is one row of the table below.
 *
 * 1. Conversions are numbered from 1 in messages; %% counts.
 * 2. A precision of 0 means no precision (%.0s prints everything).
 */
#include "facts/format.h"

#include <string.h>

#include "base/arena.h"

enum { POINTER_DIGITS = 16, WIDTH_MAX = 1 << 20 };

#define ANY_INTEGER "char, short, int, long, or long long"
#define ANY_FLOAT "float, double, or long double"
#define ANY_STRING "char [] or string (or use stringof)"
#define ADDRESS "pointer or integer"
#define USER_ADDRESS \
	"pointer or integer (with -p/-c) or _usymaddr (without -p/-c)"

#define INTEGER(name, prints) \
	{ name, (name)[0], ANY_INTEGER, ACCEPTS_INTEGER, prints, 0, false }
#define EXACT(name, letter, type, prints, size, is_signed) \
	{ name, letter, type, ACCEPTS_EXACT, prints, size, is_signed }
#define EITHER(name, letter, type, size) \
	{ name, letter, type, ACCEPTS_EXACT_SIZE, PRINTS_UNSIGNED, size, false }
#define FLOAT(name) \
	{ name, (name)[0], ANY_FLOAT, ACCEPTS_FLOAT, PRINTS_FLOAT, 0, true }
#define LONG_DOUBLE(name) \
	{ name, (name)[1], "long double", ACCEPTS_EXACT_FLOAT, PRINTS_FLOAT, \
	  16, true }
#define OTHER(name, type, accepts, prints) \
	{ name, (name)[0], type, accepts, prints, 0, false }

static const struct conversion_kind kinds[] = {
	OTHER("a", ADDRESS, ACCEPTS_ADDRESS, PRINTS_ADDRESS),
	OTHER("A", USER_ADDRESS, ACCEPTS_USER_ADDRESS, PRINTS_ADDRESS),
	OTHER("c", "char, short, or int", ACCEPTS_CHAR, PRINTS_CHAR),
	OTHER("C", "char, short, or int", ACCEPTS_CHAR, PRINTS_ESCAPED_CHAR),
	INTEGER("d", PRINTS_BY_TYPE),
	FLOAT("e"), FLOAT("E"), FLOAT("f"), FLOAT("g"), FLOAT("G"),
	EXACT("hd", 'd', "short", PRINTS_SIGNED, 2, true),
	EXACT("hi", 'i', "short", PRINTS_SIGNED, 2, true),
	EXACT("ho", 'o', "unsigned short", PRINTS_UNSIGNED, 2, false),
	EXACT("hu", 'u', "unsigned short", PRINTS_UNSIGNED, 2, false),
	EITHER("hx", 'x', "short", 2),
	EITHER("hX", 'X', "short", 2),
	EXACT("hhd", 'd', "char", PRINTS_SIGNED, 1, true),
	EXACT("hhi", 'i', "char", PRINTS_SIGNED, 1, true),
	EXACT("hho", 'o', "unsigned char", PRINTS_UNSIGNED, 1, false),
	EXACT("hhu", 'u', "unsigned char", PRINTS_UNSIGNED, 1, false),
	EITHER("hhx", 'x', "char", 1),
	EITHER("hhX", 'X', "char", 1),
	INTEGER("i", PRINTS_BY_TYPE),
	OTHER("I", ANY_STRING, ACCEPTS_STRING, PRINTS_HOST),
	OTHER("k", "stack", ACCEPTS_STACK, PRINTS_STACK),
	EXACT("lc", 'c', "wint_t", PRINTS_WIDE_CHAR, 4, true),
	EXACT("ld", 'd', "long", PRINTS_SIGNED, 8, true),
	EXACT("li", 'i', "long", PRINTS_SIGNED, 8, true),
	EXACT("lo", 'o', "unsigned long", PRINTS_UNSIGNED, 8, false),
	EXACT("lu", 'u', "unsigned long", PRINTS_UNSIGNED, 8, false),
	OTHER("ls", "wchar_t []", ACCEPTS_WIDE_STRING, PRINTS_WIDE_STRING),
	EITHER("lx", 'x', "long", 8),
	EITHER("lX", 'X', "long", 8),
	EXACT("lld", 'd', "long long", PRINTS_SIGNED, 8, true),
	EXACT("lli", 'i', "long long", PRINTS_SIGNED, 8, true),
	EXACT("llo", 'o', "unsigned long long", PRINTS_UNSIGNED, 8, false),
	EXACT("llu", 'u', "unsigned long long", PRINTS_UNSIGNED, 8, false),
	EITHER("llx", 'x', "long long", 8),
	EITHER("llX", 'X', "long long", 8),
	LONG_DOUBLE("Le"), LONG_DOUBLE("LE"), LONG_DOUBLE("Lf"),
	LONG_DOUBLE("Lg"), LONG_DOUBLE("LG"),
	INTEGER("o", PRINTS_UNSIGNED),
	{ "p", 'x', ADDRESS, ACCEPTS_ADDRESS, PRINTS_UNSIGNED, 0, false },
	OTHER("P", "uint16_t", ACCEPTS_CHAR, PRINTS_SERVICE),
	OTHER("s", ANY_STRING, ACCEPTS_STRING, PRINTS_STRING),
	OTHER("S", ANY_STRING, ACCEPTS_STRING, PRINTS_ESCAPED_STRING),
	OTHER("T", "int64_t", ACCEPTS_TIME, PRINTS_MAIL_DATE),
	INTEGER("u", PRINTS_UNSIGNED),
	EXACT("wc", 'c', "wchar_t", PRINTS_WIDE_CHAR, 4, true),
	OTHER("ws", "wchar_t []", ACCEPTS_WIDE_STRING, PRINTS_WIDE_STRING),
	INTEGER("x", PRINTS_UNSIGNED),
	INTEGER("X", PRINTS_UNSIGNED),
	OTHER("Y", "int64_t", ACCEPTS_TIME, PRINTS_DATE),
	OTHER("%", "void", ACCEPTS_NOTHING, PRINTS_PERCENT),
};

static const struct conversion_kind *kind_named(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i].name) == n &&
		    !memcmp(kinds[i].name, name, n))
			return &kinds[i];
	return NULL;
}

/* --------------------------------------------------------------- reading */

struct reader {
	struct arena *arena;
	const char *at, *end;
	const char *problem;
};

static bool problem(struct reader *reader, uint32_t number, const char *what)
{
	reader->problem = arena_printf(reader->arena,
				       "format conversion #%u %s", number,
				       what);
	return false;
}

static int read_number(struct reader *reader)
{
	int number = 0;

	while (reader->at < reader->end && *reader->at >= '0' &&
	       *reader->at <= '9') {
		int digit = *reader->at++ - '0';

		number = number > WIDTH_MAX ? WIDTH_MAX : number * 10 + digit;
	}
	return number > WIDTH_MAX ? WIDTH_MAX : number;
}

static bool read_flags(struct reader *reader, struct conversion *conversion)
{
	static const struct {
		char letter;
		unsigned flag;
	} letters[] = {
		{ '#', FLAG_ALTERNATE },   { '0', FLAG_ZERO },
		{ '-', FLAG_LEFT },	   { '+', FLAG_PLUS },
		{ '\'', FLAG_GROUP },	   { ' ', FLAG_SPACE },
		{ '@', FLAG_AGGREGATION },
	};

	for (; reader->at < reader->end; reader->at++) {
		unsigned flag = 0;

		if (*reader->at == '?') {
			conversion->width = POINTER_DIGITS;
			continue;
		}
		for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
			if (letters[i].letter == *reader->at)
				flag = letters[i].flag;
		if (!flag)
			return true;
		conversion->flags |= flag;
	}
	return true;
}

static bool peek(const struct reader *reader, char c)
{
	return reader->at < reader->end && *reader->at == c;
}

/* A width or precision: digits or a star, possibly mixed with flags. */
static bool read_width(struct reader *reader, struct conversion *conversion)
{
	uint32_t n = conversion->number;

	while (reader->at < reader->end) {
		read_flags(reader, conversion);
		if (peek(reader, '*')) {
			if (conversion->takes_width)
				return problem(
					reader, n,
					"has more than one '*' specified for the output width");
			conversion->takes_width = true;
			reader->at++;
		} else if (reader->at < reader->end && *reader->at >= '1' &&
			   *reader->at <= '9') {
			conversion->width = read_number(reader);
			if (peek(reader, '$'))
				return problem(
					reader, n,
					"uses unsupported positional format (%n$)");
		} else {
			return true;
		}
	}
	return true;
}

static bool read_precision(struct reader *reader, struct conversion *conversion)
{
	uint32_t n = conversion->number;

	if (!peek(reader, '.'))
		return true;
	reader->at++;
	conversion->precision = read_number(reader);
	while (peek(reader, '*')) {
		if (conversion->takes_precision)
			return problem(
				reader, n,
				"has more than one '*' specified for the output precision");
		conversion->takes_precision = true;
		reader->at++;
	}
	if (peek(reader, '.'))
		return problem(reader, n, "has more than one '.' specified");
	return true;
}

static bool read_name(struct reader *reader, struct conversion *conversion)
{
	const char *name = reader->at;

	while (reader->at < reader->end && strchr("hlLw", *reader->at) &&
	       *reader->at)
		reader->at++;
	if (reader->at == reader->end)
		return problem(reader, conversion->number,
			       "name expected before end of format string");
	reader->at++;
	size_t n = (size_t)(reader->at - name);

	conversion->kind = kind_named(name, n);
	if (conversion->kind)
		return true;
	return problem(reader, conversion->number,
		       arena_printf(reader->arena, "is undefined: %%%.*s",
				    (int)n, name));
}

static bool read_conversion(struct reader *reader,
			    struct conversion *conversion)
{
	const char *start = ++reader->at;

	if (!read_width(reader, conversion) ||
	    !read_precision(reader, conversion) ||
	    !read_name(reader, conversion))
		return false;
	if (conversion->kind->prints == PRINTS_PERCENT &&
	    reader->at != start + 1)
		return problem(reader, conversion->number,
			       "cannot be combined with other format flags: %%");
	return true;
}

struct format *format_read(struct arena *arena, const char *text, size_t length,
			   const char **trouble)
{
	struct reader reader = {
		.arena = arena, .at = text, .end = text + length,
	};
	struct format *format = arena_new_of(arena, struct format);
	struct conversion **last = &format->conversions;

	format->text = text;
	format->length = length;
	for (uint32_t number = 1; reader.at < reader.end; number++) {
		struct conversion *conversion = arena_new_of(arena,
							     struct conversion);
		size_t rest = (size_t)(reader.end - reader.at);
		const char *percent = memchr(reader.at, '%', rest);

		conversion->number = number;
		conversion->text = reader.at;
		conversion->text_length =
			percent ? (size_t)(percent - reader.at) : rest;
		reader.at += conversion->text_length;
		if (percent && !read_conversion(&reader, conversion)) {
			*trouble = reader.problem;
			return NULL;
		}
		*last = conversion;
		last = &conversion->next;
	}
	return format;
}
