/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats, compile time: reading them and checking arguments against them.
 *
 * A D format differs from C's in what is optional: the argument's own type
 * decides its size, and for %d also its sign, so size letters say nothing new
 * and are checked when present.  Every conversion is one row of the table
 * below; printing them is format_print.c.
 *
 * 1. Conversions are numbered from 1 in messages; %% counts.
 * 2. A precision of 0 is no precision (%.0s prints everything).
 * 3. printa() is checked with the same code: its values are the keys of the
 *    aggregation, and %@ takes the aggregation's result.
 *
 * What newcomers get wrong: arguments are numbered as the user wrote them, so
 * the first value of printf() is argument #2.
 */
#include "builtin/conversion.h"

#include <string.h>

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
		{ '#', FLAG_ALTERNATE }, { '0', FLAG_ZERO }, { '-', FLAG_LEFT },
		{ '+', FLAG_PLUS }, { '\'', FLAG_GROUP }, { ' ', FLAG_SPACE },
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

/* A width or precision: digits or a star, possibly mixed up with flags. */
static bool read_width(struct reader *reader, struct conversion *conversion)
{
	uint32_t n = conversion->number;

	while (reader->at < reader->end) {
		read_flags(reader, conversion);
		if (peek(reader, '*')) {
			if (conversion->takes_width)
				return problem(reader, n, "has more than one '*' specified for the output width");
			conversion->takes_width = true;
			reader->at++;
		} else if (reader->at < reader->end && *reader->at >= '1' &&
			   *reader->at <= '9') {
			conversion->width = read_number(reader);
			if (peek(reader, '$'))
				return problem(reader, n, "uses unsupported positional format (%n$)");
		} else {
			return true;
		}
	}
	return true;
}

static bool read_precision(struct reader *reader,
			   struct conversion *conversion)
{
	uint32_t n = conversion->number;

	if (!peek(reader, '.'))
		return true;
	reader->at++;
	conversion->precision = read_number(reader);
	while (peek(reader, '*')) {
		if (conversion->takes_precision)
			return problem(reader, n, "has more than one '*' specified for the output precision");
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

struct format *format_read(struct arena *arena, const char *text,
			   size_t length, const char **trouble)
{
	struct reader reader = {
		.arena = arena, .at = text, .end = text + length,
	};
	struct format *format = arena_new_of(arena, struct format);
	struct conversion **last = &format->conversions;

	format->text = text;
	format->length = length;
	for (uint32_t number = 1; reader.at < reader.end; number++) {
		struct conversion *conversion =
			arena_new_of(arena, struct conversion);
		size_t rest = (size_t)(reader.end - reader.at);
		const char *percent = memchr(reader.at, '%', rest);

		conversion->number = number;
		conversion->text = reader.at;
		conversion->text_length = percent ?
			(size_t)(percent - reader.at) : rest;
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

struct format *format_parse(struct checker *checker, const struct node *string)
{
	const char *trouble = NULL;
	struct format *format = format_read(checker->language->arena,
					    string->string.bytes,
					    string->string.length, &trouble);

	if (!format)
		diag_error(&checker->language->diag, &string->place, D_SYNTAX,
			   "%s", trouble);
	return format;
}

/* -------------------------------------------------------------- checking */

static bool accepts(struct checker *checker,
		    const struct conversion_kind *kind, struct type *type)
{
	struct types *types = checker->language->types;
	bool is_integer = type_is_integer(types, type);
	struct type *bare = type_strip(types, type);
	uint64_t size = type_size(types, type);
	enum type_kind element = TYPE_VOID;

	if (bare->kind == TYPE_ARRAY)
		element = type_strip(types, bare->target)->kind;
	switch (kind->accepts) {
	case ACCEPTS_INTEGER:
		return is_integer;
	case ACCEPTS_CHAR:
		return is_integer && size <= 4;
	case ACCEPTS_EXACT:
		return is_integer && size == kind->size &&
		       type_is_signed(types, type) == kind->is_signed;
	case ACCEPTS_EXACT_SIZE:
		return is_integer && size == kind->size;
	case ACCEPTS_FLOAT:
		return type_is_float(types, type);
	case ACCEPTS_EXACT_FLOAT:
		return type_is_float(types, type) && size == kind->size;
	case ACCEPTS_ADDRESS:
		return is_integer || type_is_pointer(types, type) ||
		       bare->kind == TYPE_SYMADDR;
	case ACCEPTS_USER_ADDRESS:
		return bare->kind == TYPE_USYMADDR ||
		       (checker->language->target &&
			(is_integer || type_is_pointer(types, type)));
	case ACCEPTS_STACK:
		return bare->kind == TYPE_STACK;
	case ACCEPTS_STRING:
		return type_is_string(types, type) ||
		       type_is_char_array(types, type);
	case ACCEPTS_WIDE_STRING:
		return bare->kind == TYPE_ARRAY && element == TYPE_INTEGER &&
		       type_size(types, bare->target) == 4;
	case ACCEPTS_TIME:
		return is_integer && size == 8;
	case ACCEPTS_NOTHING:
		return true;
	}
	return false;
}

/* The values that a format consumes: arguments of a call, or keys. */
struct supply {
	struct checker *checker;
	struct node *call;
	const char *function;
	struct node *node;		/* next argument, or NULL */
	const struct signature *keys;	/* printa */
	uint32_t taken;			/* arguments or keys so far */
	uint32_t first;			/* number of the first one */
};

static bool supply_peek(const struct supply *supply, struct type **type,
			const char **name)
{
	struct checker *checker = supply->checker;

	if (supply->keys) {
		if (supply->taken >= supply->keys->count)
			return false;
		*type = supply->keys->types[supply->taken];
		*name = type_name(checker->language->types, *type);
		return true;
	}
	if (!supply->node)
		return false;
	*type = supply->node->type;
	*name = node_type_name(checker, supply->node);
	return true;
}

static const char *supply_what(const struct supply *supply)
{
	return supply->keys ? "key" : "argument";
}

static const struct place *supply_place(const struct supply *supply)
{
	return supply->node ? &supply->node->place : &supply->call->place;
}

static void supply_next(struct supply *supply)
{
	if (supply->node)
		supply->node = supply->node->next;
	supply->taken++;
}

static bool check_star(struct supply *supply, const struct conversion *item,
		       const char *star)
{
	struct diag *diag = &supply->checker->language->diag;
	struct types *types = supply->checker->language->types;
	struct type *type;
	const char *name;

	if (!supply_peek(supply, &type, &name))
		return diag_error(diag, &supply->call->place,
				  D_PRINTF_DYN_PROTO,
				  "%s( ) prototype mismatch: conversion #%u (%%%s) is missing a corresponding \"%s\" argument",
				  supply->function, item->number,
				  item->kind->name, star);
	if (!type_is_integer(types, type))
		return diag_error(diag, supply_place(supply),
				  D_PRINTF_DYN_TYPE,
				  "%s( ) %s #%u is incompatible with conversion #%u prototype:\n\tconversion: %% %s %s\n\t prototype: int\n\t  argument: %s",
				  supply->function, supply_what(supply),
				  supply->first + supply->taken, item->number,
				  star, item->kind->name, name);
	supply_next(supply);
	return true;
}

/* A char * of the traced program stands for its text, as with stringof. */
static void follow_user_text(struct supply *supply,
			     const struct conversion *item)
{
	struct node *node = supply->node;
	struct checker *checker = supply->checker;
	struct types *types = checker->language->types;

	if (!node || item->kind->accepts != ACCEPTS_STRING ||
	    !type_is_stringlike(types, node->type))
		return;
	struct type *bare = type_strip(types, node->type);

	if (bare->kind != TYPE_POINTER || !(bare->is_user || node->is_user))
		return;
	struct node *pointer = arena_copy(checker->language->arena, node,
					  sizeof(*node));

	pointer->next = NULL;
	node->kind = NODE_STRINGOF;
	node->unary.operand = pointer;
	node->type = types_base(types, BASE_STRING);
}

static bool check_value(struct supply *supply, const struct conversion *item)
{
	struct diag *diag = &supply->checker->language->diag;
	struct type *type;
	const char *name;

	follow_user_text(supply, item);
	if (!supply_peek(supply, &type, &name))
		return diag_error(diag, &supply->call->place,
				  D_PRINTF_ARG_PROTO,
				  "%s( ) prototype mismatch: conversion #%u (%%%s) is missing a corresponding value argument",
				  supply->function, item->number,
				  item->kind->name);
	if (!accepts(supply->checker, item->kind, type)) {
		diag_error(diag, supply_place(supply), D_PRINTF_ARG_TYPE,
			   "%s( ) %s #%u is incompatible with conversion #%u prototype:\n\tconversion: %%%s\n\t prototype: %s\n\t  argument: %s",
			   supply->function, supply_what(supply),
			   supply->first + supply->taken, item->number,
			   item->kind->name, item->kind->prototype, name);
		if (item->kind->accepts == ACCEPTS_STRING &&
		    type_is_integer(supply->checker->language->types, type))
			diag_hint(diag, "copyinstr(address) reads a string of the process, stringof(pointer) one of the kernel");
		return false;
	}
	supply_next(supply);
	return true;
}

/* Results of aggregations are 64-bit numbers, or histograms. */
static bool check_result(struct supply *supply, const struct conversion *item,
			 uint32_t naggs)
{
	struct diag *diag = &supply->checker->language->diag;
	struct types *types = supply->checker->language->types;

	if (!naggs)
		return diag_error(diag, &supply->call->place,
				  D_PRINTF_AGG_CONV,
				  "%%@ conversion requires an aggregation and is not for use with %s( )",
				  supply->function);
	if (accepts(supply->checker, item->kind,
		    types_base(types, BASE_INT64)) ||
	    accepts(supply->checker, item->kind,
		    types_base(types, BASE_UINT64)))
		return true;
	return diag_error(diag, &supply->call->place, D_PRINTF_ARG_TYPE,
			  "%s( ) aggregation result is incompatible with conversion #%u prototype:\n\tconversion: %%%s\n\t prototype: %s\n\t  argument: %s",
			  supply->function, item->number, item->kind->name,
			  item->kind->prototype,
			  type_name(types, types_base(types, BASE_INT64)));
}

static bool check_items(struct supply *supply, const struct format *format,
			uint32_t naggs)
{
	for (const struct conversion *item = format->conversions; item;
	     item = item->next) {
		if (!item->kind || item->kind->accepts == ACCEPTS_NOTHING)
			continue;
		if (item->takes_width && !check_star(supply, item, "*"))
			return false;
		if (item->takes_precision && !check_star(supply, item, ".*"))
			return false;
		if (item->flags & FLAG_AGGREGATION ?
			    !check_result(supply, item, naggs) :
			    !check_value(supply, item))
			return false;
	}
	return true;
}

bool format_check(struct checker *checker, struct node *call,
		  const struct format *format, struct node *first)
{
	struct supply supply = {
		.checker = checker, .call = call, .function = call->call.name,
		.node = first, .first = 1,
	};

	for (struct node *arg = call->call.args; arg && arg != first;
	     arg = arg->next)
		supply.first++;
	if (!check_items(&supply, format, 0))
		return false;
	if (!supply.node)
		return true;
	return diag_error(&checker->language->diag, &supply.node->place,
			  D_PRINTF_ARG_EXTRA,
			  "%s( ) prototype mismatch: only %u arguments required by this format string",
			  supply.function, supply.taken);
}

bool format_check_printa(struct checker *checker, struct node *call,
			 const struct format *format,
			 const struct signature *keys, uint32_t naggs)
{
	static const struct signature none = { 0 };
	struct supply supply = {
		.checker = checker, .call = call, .function = call->call.name,
		.keys = keys ? keys : &none, .first = 1,
	};

	return check_items(&supply, format, naggs);
}
