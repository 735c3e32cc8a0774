/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtrace -x oformat=ndjson: the tables in it (doc/output.md), both those that
 * printa() has shown and those of the end.  Snapshots are parts of those and are
 * left out.
 *
 * A line is an object; it is read once, from left to right.  Only "table" is
 * looked into: "keys" says which key is a stack of the kernel, "rows" has them.
 */
#include "view/read.h"

#include <string.h>

#include "base/text.h"

enum { MOST_KEYS = 64 };

struct cursor {
	struct reader *reader;
	const char *at, *end;
	bool is_bad;
	struct text string; /* the last one that was read */
	bool is_kernel[MOST_KEYS];
};

static char peek(struct cursor *c)
{
	while (c->at < c->end && strchr(" \t\r", *c->at))
		c->at++;
	return c->at < c->end ? *c->at : '\0';
}

static bool accept(struct cursor *c, char wanted)
{
	if (!wanted || peek(c) != wanted)
		return false;
	c->at++;
	return true;
}

static void bad(struct cursor *c)
{
	c->is_bad = true;
	c->at = c->end;
}

/* ----------------------------------------------------------------- strings */

static unsigned read_hex(struct cursor *c)
{
	unsigned value = 0;

	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = c->at < c->end
					    ? strchr(digits, *c->at | ' ')
					    : NULL;

		if (!digit || !*digit) {
			bad(c);
			return 0;
		}
		value = value * 16 + (unsigned)(digit - digits);
		c->at++;
	}
	return value;
}

static void put_utf8(struct text *out, unsigned point)
{
	if (point < 0x80) {
		text_putc(out, (char)point);
	} else if (point < 0x800) {
		text_putc(out, (char)(0xc0 | point >> 6));
		text_putc(out, (char)(0x80 | (point & 0x3f)));
	} else if (point < 0x10000) {
		text_putc(out, (char)(0xe0 | point >> 12));
		text_putc(out, (char)(0x80 | (point >> 6 & 0x3f)));
		text_putc(out, (char)(0x80 | (point & 0x3f)));
	} else {
		text_putc(out, (char)(0xf0 | point >> 18));
		text_putc(out, (char)(0x80 | (point >> 12 & 0x3f)));
		text_putc(out, (char)(0x80 | (point >> 6 & 0x3f)));
		text_putc(out, (char)(0x80 | (point & 0x3f)));
	}
}

/* What is after \u: a character, two halves of one, or a byte of no UTF-8. */
static void read_escape(struct cursor *c)
{
	unsigned point = read_hex(c);

	if (point >= 0xd800 && point < 0xdc00 && c->end - c->at >= 6 &&
	    c->at[0] == '\\' && c->at[1] == 'u') {
		c->at += 2;
		point = 0x10000 + ((point - 0xd800) << 10) +
			((read_hex(c) - 0xdc00) & 0x3ff);
	}
	if (point >= 0xdc80 && point <= 0xdcff)
		text_putc(&c->string, (char)(point - 0xdc00));
	else
		put_utf8(&c->string, point & 0x1fffff);
}

static bool read_string(struct cursor *c)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

	text_clear(&c->string);
	if (!accept(c, '"'))
		return false;
	while (c->at < c->end && *c->at != '"') {
		const char *start = c->at, *letter;

		while (c->at < c->end && *c->at != '"' && *c->at != '\\')
			c->at++;
		text_add(&c->string, start, (size_t)(c->at - start));
		if (c->at == c->end || *c->at == '"')
			break;
		if (++c->at == c->end)
			break;
		letter = strchr(from, *c->at);
		if (*c->at++ == 'u')
			read_escape(c);
		else if (letter && *letter)
			text_putc(&c->string, to[letter - from]);
	}
	if (accept(c, '"'))
		return true;
	bad(c);
	return false;
}

static struct str string_of(const struct cursor *c)
{
	return (struct str){ text_str(&c->string), c->string.n };
}

/* ------------------------------------------------------------------ values */

static bool read_integer(struct cursor *c, int64_t *value)
{
	const char *start;
	bool is_negative = accept(c, '-');

	peek(c);
	start = c->at;
	while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
		c->at++;
	if (!str_weight((struct str){ start, (size_t)(c->at - start) }, value))
		return false;
	if (is_negative)
		*value = -*value;
	return true;
}

/* Over any value, however deep. */
static void skip_value(struct cursor *c)
{
	size_t depth = 0;

	do {
		char next = peek(c);

		if (next == '{' || next == '[') {
			depth++;
			c->at++;
		} else if (next == '}' || next == ']') {
			if (!depth--)
				return bad(c);
			c->at++;
		} else if (next == '"') {
			read_string(c);
		} else if (next == ',' || next == ':') {
			c->at++;
		} else if (next) {
			while (c->at < c->end && !strchr(",:]} \t\r", *c->at))
				c->at++;
		} else {
			return bad(c);
		}
	} while (depth);
}

/*
 * The members of an object, the elements of an array:
 *	for (bool first = true; next_member(c, &first);) value...
 */
static bool next_item(struct cursor *c, bool *is_first, char open, char close)
{
	if (*is_first) {
		*is_first = false;
		if (!accept(c, open)) {
			bad(c);
			return false;
		}
		return !accept(c, close) && !c->is_bad;
	}
	if (accept(c, close))
		return false;
	if (!accept(c, ','))
		bad(c);
	return !c->is_bad;
}

static bool next_element(struct cursor *c, bool *is_first)
{
	return next_item(c, is_first, '[', ']');
}

/* Its name is the string. */
static bool next_member(struct cursor *c, bool *is_first)
{
	if (!next_item(c, is_first, '{', '}'))
		return false;
	if (!read_string(c) || !accept(c, ':'))
		bad(c);
	return !c->is_bad;
}

/* ------------------------------------------------------------------ tables */

static void read_keys(struct cursor *c)
{
	size_t n = 0;

	memset(c->is_kernel, 0, sizeof(c->is_kernel));
	for (bool first = true; next_element(c, &first); n++)
		for (bool inner = true; next_member(c, &inner);) {
			bool is_name = str_is(string_of(c), "name");

			if (!is_name || peek(c) != '"')
				skip_value(c);
			else if (read_string(c) && n < MOST_KEYS)
				c->is_kernel[n] = str_is(string_of(c), "stack");
		}
}

static void read_key(struct cursor *c, bool is_kernel)
{
	struct reader *reader = c->reader;
	const char *start = c->at;

	if (peek(c) == '[') {
		for (bool first = true; next_element(c, &first);) {
			if (peek(c) != '"') {
				skip_value(c);
				continue;
			}
			if (!read_string(c))
				return;
			reader_push(is_kernel ? &reader->kernel : &reader->user,
				    reader_frame(reader, string_of(c),
						 is_kernel ? PROFILE_KERNEL
							   : PROFILE_USER));
		}
	} else if (peek(c) == '"') {
		if (read_string(c))
			reader_key(reader, string_of(c));
	} else {
		skip_value(c);
		reader_key(reader,
			   (struct str){ start, (size_t)(c->at - start) });
	}
}

/* A row without a number (a histogram), or without a stack, is none of ours. */
static void read_row(struct cursor *c, bool has_stacks)
{
	bool has_weight = false;
	int64_t weight = 0;

	for (bool first = true; next_member(c, &first);) {
		if (str_is(string_of(c), "key")) {
			size_t n = 0;

			for (bool inner = true; next_element(c, &inner); n++)
				read_key(c, n < MOST_KEYS && c->is_kernel[n]);
		} else if (str_is(string_of(c), "value")) {
			for (bool inner = true; next_element(c, &inner);) {
				if (has_weight || peek(c) == '[')
					skip_value(c);
				else if (!(has_weight = read_integer(c,
								     &weight)))
					skip_value(c);
			}
		} else {
			skip_value(c);
		}
	}
	if (has_weight && has_stacks && !c->is_bad)
		reader_add(c->reader, weight);
	reader_forget(c->reader);
}

static void read_table(struct cursor *c)
{
	bool has_stacks = false;

	for (bool first = true; next_member(c, &first);) {
		if (str_is(string_of(c), "keys")) {
			const char *start = c->at;

			read_keys(c);
			has_stacks = memmem(start, (size_t)(c->at - start),
					    "\"stack\"", 7);
		} else if (str_is(string_of(c), "rows")) {
			for (bool inner = true; next_element(c, &inner);)
				read_row(c, has_stacks);
		} else {
			skip_value(c);
		}
	}
}

static void read_actions(struct cursor *c)
{
	for (bool first = true; next_element(c, &first);)
		for (bool inner = true; next_member(c, &inner);) {
			if (str_is(string_of(c), "table") && peek(c) == '{')
				read_table(c);
			else
				skip_value(c);
		}
}

static void read_item(struct cursor *c)
{
	bool is_snapshot = false;

	for (bool first = true; next_member(c, &first);) {
		if (str_is(string_of(c), "type") && peek(c) == '"') {
			read_string(c);
			is_snapshot = str_is(string_of(c), "snapshot");
		} else if (str_is(string_of(c), "actions") && peek(c) == '[') {
			read_actions(c);
		} else if (str_is(string_of(c), "table") && !is_snapshot &&
			   peek(c) == '{') {
			read_table(c);
		} else {
			skip_value(c);
		}
	}
}

void read_ndjson(struct reader *reader)
{
	struct cursor c = { .reader = reader };
	struct str line;

	while (reader_line(reader, &line)) {
		c.at = line.p;
		c.end = line.p + line.n;
		c.is_bad = false;
		if (!peek(&c))
			continue;
		read_item(&c);
		if (c.is_bad)
			reader_skip(reader);
		reader_forget(reader);
	}
	text_free(&c.string);
}
