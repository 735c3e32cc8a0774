/* SPDX-License-Identifier: Apache-2.0 */
#include "lang/cursor.h"

#include <string.h>

bool cursor_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (c >= '0' && c <= '9');
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* -------------------------------------------------- what is no program */

static size_t end_of_line(const char *text, size_t length, size_t at)
{
	for (; at < length && text[at] != '\n'; at++)
		if (text[at] == '\\' && at + 1 < length)
			at++;
	return at;
}

/* A string ends at the end of its line, closed or not. */
static size_t end_of_literal(const char *text, size_t length, size_t at)
{
	char quote = text[at++];

	while (at < length && text[at] != '\n') {
		char c = text[at];

		at += c == '\\' && at + 1 < length ? 2 : 1;
		if (c == quote)
			break;
	}
	return at;
}

static size_t end_of_comment(const char *text, size_t length, size_t at)
{
	const char *end = memmem(text + at + 2, length - at - 2, "*/", 2);

	return end ? (size_t)(end - text) + 2 : length;
}

static bool starts_line(const char *text, size_t at)
{
	while (at && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	return !at || text[at - 1] == '\n';
}

size_t cursor_skip(const char *text, size_t length, size_t at)
{
	char c = text[at], next = at + 1 < length ? text[at + 1] : '\0';

	if (c == '/' && next == '*')
		return end_of_comment(text, length, at);
	if ((c == '/' && next == '/') || (c == '#' && starts_line(text, at)))
		return end_of_line(text, length, at);
	if (c == '"' || c == '\'')
		return end_of_literal(text, length, at);
	return at;
}

/* ------------------------------------------------------------- elements */

enum state { IN_PROGRAM, IN_PREDICATE, IN_BODY };

struct scan {
	struct cursor *cursor;
	struct arena *arena;
	size_t capacity;
	enum state state;
	bool has_element, has_head, is_declaration, is_noted;
	/* of the current element; what they mean is in struct cursor */
	size_t start, head, statement;
	unsigned braces, parens;
};

/* Declarations whose braces do not end them. */
static bool ends_in_semicolon(const struct cursor *cursor, size_t at)
{
	static const char *const words[] = {
		"typedef", "struct", "union", "enum", "translator", "provider"
	};
	size_t left = cursor->length - at;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t n = strlen(words[i]);

		if (left > n && !memcmp(cursor->text + at, words[i], n) &&
		    is_blank(cursor->text[at + n]))
			return true;
	}
	return false;
}

static void note(struct scan *scan, enum cursor_place place, size_t start)
{
	struct cursor *cursor = scan->cursor;

	scan->is_noted = true;
	cursor->place = place;
	cursor->start = start;
	cursor->head = scan->has_head ? scan->head : start;
	cursor->statement = scan->statement;
	cursor->braces = scan->braces;
}

static void note_here(struct scan *scan)
{
	static const enum cursor_place places[] = {
		[IN_PROGRAM] = CURSOR_PROGRAM,
		[IN_PREDICATE] = CURSOR_PREDICATE,
		[IN_BODY] = CURSOR_STATEMENTS,
	};

	note(scan, places[scan->state],
	     scan->has_element ? scan->start : scan->cursor->at);
}

static void end_element(struct scan *scan, size_t end)
{
	struct cursor *cursor = scan->cursor;
	bool has_cursor = scan->start <= cursor->at && cursor->at < end;

	if (!has_cursor) {
		if (cursor->nothers == scan->capacity) {
			size_t capacity = 2 * scan->capacity + 16;
			struct cursor_element *more =
				arena_array_of(scan->arena,
					       struct cursor_element, capacity);

			if (cursor->nothers)
				memcpy(more, cursor->others,
				       cursor->nothers * sizeof(*more));
			cursor->others = more;
			scan->capacity = capacity;
		}
		cursor->others[cursor->nothers++] =
			(struct cursor_element){ scan->start, end };
	}
	scan->has_element = scan->has_head = false;
	scan->state = IN_PROGRAM;
	scan->parens = scan->braces = 0;
}

static void begin_body(struct scan *scan, size_t at)
{
	if (!scan->has_head)
		scan->head = at;
	scan->has_head = true;
	scan->state = IN_BODY;
	scan->parens = 0;
	scan->braces = 1;
	scan->statement = at + 1;
}

/* Does the slash here close the predicate? */
static bool closes(const struct scan *scan, size_t at)
{
	const struct cursor *cursor = scan->cursor;

	if (scan->parens)
		return false;
	for (at++; at < cursor->length; at++) {
		size_t next = cursor_skip(cursor->text, cursor->length, at);

		if (next > at)
			at = next - 1;
		else if (!is_blank(cursor->text[at]))
			return strchr("{;/", cursor->text[at]);
	}
	return true;
}

static void see_program(struct scan *scan, size_t at, char c)
{
	if (!scan->has_element) {
		if (is_blank(c) || c == ';' || c == '}')
			return;
		scan->has_element = true;
		scan->start = at;
		scan->is_declaration = ends_in_semicolon(scan->cursor, at);
	}
	if (c == ';' && !scan->parens) {
		end_element(scan, at + 1);
	} else if (c == '{') {
		begin_body(scan, at);
	} else if (c == '/' && !scan->has_head && !scan->is_declaration) {
		scan->head = at;
		scan->has_head = true;
		scan->state = IN_PREDICATE;
		scan->statement = at + 1;
	}
}

static void see_body(struct scan *scan, size_t at, char c)
{
	if (c == '{')
		scan->braces++;
	else if (c == '}')
		scan->braces--;
	else if (c != ';' || scan->parens)
		return;
	scan->statement = at + 1;
	scan->parens = c == ';' ? scan->parens : 0;
	if (scan->braces)
		return;
	scan->state = IN_PROGRAM;
	if (!scan->is_declaration)
		end_element(scan, at + 1);
}

static void see(struct scan *scan, size_t at)
{
	char c = scan->cursor->text[at];

	if (c == '(')
		scan->parens++;
	else if (c == ')' && scan->parens)
		scan->parens--;
	if (scan->state == IN_PROGRAM)
		see_program(scan, at, c);
	else if (scan->state == IN_BODY)
		see_body(scan, at, c);
	else if (c == '{')
		begin_body(scan, at);
	else if (c == '/' && closes(scan, at))
		scan->state = IN_PROGRAM;
}

/* Does what cursor_skip() passed over go on at its end? */
static bool is_open(const char *text, size_t start, size_t end)
{
	char c = text[start];

	if (c == '"' || c == '\'')
		return end < start + 2 || text[end - 1] != c;
	return c != '/' || text[start + 1] != '*' || end < start + 4 ||
	       memcmp(text + end - 2, "*/", 2);
}

/* A comment in front of a statement is no part of it. */
static void pass_comment(struct scan *scan, size_t at, size_t next)
{
	const char *text = scan->cursor->text;
	size_t i = scan->statement;

	while (i < at && is_blank(text[i]))
		i++;
	if (text[at] == '/' && i == at)
		scan->statement = next;
}

void cursor_find(struct cursor *cursor, struct arena *arena, const char *text,
		 size_t length, size_t at)
{
	struct scan scan = { .cursor = cursor, .arena = arena };

	*cursor = (struct cursor){ .text = text,
				   .length = length,
				   .at = at < length ? at : length };
	for (size_t i = 0; i < length;) {
		size_t next = cursor_skip(text, length, i);

		if (!scan.is_noted && cursor->at <= i)
			note_here(&scan);
		if (next == i) {
			see(&scan, i++);
			continue;
		}
		if (!scan.is_noted && i < cursor->at &&
		    (cursor->at < next ||
		     (cursor->at == next && is_open(text, i, next))))
			note(&scan,
			     text[i] == '#' ? CURSOR_CONTROL : CURSOR_NOWHERE,
			     i);
		pass_comment(&scan, i, next);
		i = next;
	}
	if (!scan.is_noted)
		note_here(&scan);
	if (scan.has_element)
		end_element(&scan, length + (scan.start <= cursor->at &&
					     cursor->at <= length));
}

/* ---------------------------------------------------------------- words */

size_t cursor_word(const struct cursor *cursor)
{
	size_t at = cursor->at;

	while (at > cursor->start && cursor_is_word(cursor->text[at - 1]))
		at--;
	return at;
}

/* As spec_length() has it. */
static bool is_description(char c)
{
	return cursor_is_word(c) || (c && strchr("-+.:$?*[]!\\`", c));
}

size_t cursor_description(const struct cursor *cursor)
{
	size_t at = cursor->at;

	while (at > cursor->start && is_description(cursor->text[at - 1]))
		at--;
	return at;
}

size_t cursor_before(const struct cursor *cursor, size_t least, size_t at)
{
	while (at > least && is_blank(cursor->text[at - 1]))
		at--;
	return at;
}

/* Back to before the bracket that the one before `at` closes, or `at`. */
static size_t before_bracket(const struct cursor *cursor, size_t least,
			     size_t at)
{
	unsigned depth = 0;

	for (size_t i = at; i > least; i--) {
		char c = cursor->text[i - 1];

		if (c == ')' || c == ']')
			depth++;
		else if ((c == '(' || c == '[') && !--depth)
			return i - 1;
		else if (c == ';' || c == '{' || c == '}')
			break;
	}
	return at;
}

/* xlate <psinfo_t *> is in front of (e) here: where it starts, or `at`. */
static size_t before_translation(const struct cursor *cursor, size_t least,
				 size_t at)
{
	size_t i = cursor_before(cursor, least, at);

	if (i == least || cursor->text[i - 1] != '>')
		return at;
	while (i > least && cursor->text[i - 1] != '<')
		i--;
	if (i > least)
		i = cursor_before(cursor, least, i - 1);
	if (i < least + 5 || memcmp(cursor->text + i - 5, "xlate", 5))
		return at;
	return i - 5;
}

/* A word, or what is in brackets after one: where it starts, or `at`. */
static size_t before_primary(const struct cursor *cursor, size_t least,
			     size_t at)
{
	size_t i = cursor_before(cursor, least, at);

	while (i > least && strchr(")]", cursor->text[i - 1])) {
		size_t start = before_bracket(cursor, least, i);

		if (start == i)
			return at;
		if (cursor->text[start] == '(') {
			size_t xlate = before_translation(cursor, least, start);

			if (xlate < start)
				return xlate;
		}
		at = start;
		i = cursor_before(cursor, least, start);
	}
	size_t word = i;

	while (word > least && (cursor_is_word(cursor->text[word - 1]) ||
				strchr("`$@", cursor->text[word - 1])))
		word--;
	return word < i ? word : at;
}

size_t cursor_object(const struct cursor *cursor, size_t end)
{
	size_t least = cursor->statement, at = end;

	for (;;) {
		size_t start = before_primary(cursor, least, at);

		if (start == at)
			return end;
		size_t before = cursor_before(cursor, least, start);

		if (before >= least + 2 &&
		    !memcmp(cursor->text + before - 2, "->", 2))
			at = before - 2;
		else if (before > least && cursor->text[before - 1] == '.')
			at = before - 1;
		else
			return start;
	}
}
