/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own names: words of its text.
 *
 * A variable exists where it is mentioned first, and the text may be wrong there,
 * so the words themselves are looked for, wherever they are: a plain name is offered
 * if it is assigned or declared somewhere.  If the compiler knows the name by then,
 * it knows its type.
 */
#include <string.h>

#include "lang/check.h"
#include "lang/complete.h"

static bool ends_in(const char *text, size_t at, const char *end)
{
	size_t n = strlen(end);

	return at >= n && !memcmp(text + at - n, end, n);
}

static enum word_kind kind_of(const struct cursor *cursor, size_t start)
{
	const char *text = cursor->text;
	size_t at = cursor_before(cursor, 0, start);

	if (start && text[start - 1] == '@')
		return WORD_AGGREGATION;
	if (!ends_in(text, at, "->"))
		return WORD_PLAIN;
	at = cursor_before(cursor, 0, at - 2);
	return ends_in(text, at, "self")   ? WORD_SELF
	       : ends_in(text, at, "this") ? WORD_THIS
					   : WORD_PLAIN;
}

/* Is a value given to the name that ends here: x = 1, x[a, b] += 1, x++? */
static bool is_assigned(const struct cursor *cursor, size_t at)
{
	const char *text = cursor->text;
	unsigned depth = 0;

	for (; at < cursor->length; at++) {
		char c = text[at];

		if (c == '[')
			depth++;
		else if (c == ']' && depth)
			depth--;
		else if (c == ';' || c == '{' || c == '}')
			return false;
		else if (!depth && !strchr(" \t\r\n", c))
			break;
	}
	size_t left = cursor->length - at;

	if (left < 2)
		return false;
	if (text[at] == '=')
		return text[at + 1] != '=';
	return strchr("+-*/%&|^", text[at]) &&
	       (text[at + 1] == '=' || text[at + 1] == text[at]);
}

/* Does a word of a type stand in front: int x, string names[int]? */
static bool is_declared(struct completer *completer, size_t start)
{
	const struct cursor *cursor = &completer->cursor;
	size_t end = cursor_before(cursor, 0, start);

	while (end && cursor->text[end - 1] == '*')
		end = cursor_before(cursor, 0, end - 1);
	size_t at = end;

	while (at && cursor_is_word(cursor->text[at - 1]))
		at--;
	struct str word = { cursor->text + at, end - at };

	return word.n && !str_is(word, "struct") && !str_is(word, "union") &&
	       !str_is(word, "enum") &&
	       is_type_name(completer->language, "D", word);
}

static bool is_own(struct completer *completer, size_t start, size_t end,
		   enum word_kind kind)
{
	const struct cursor *cursor = &completer->cursor;

	if (kind_of(cursor, start) != kind)
		return false;
	if (kind != WORD_PLAIN)
		return true;
	size_t before = cursor_before(cursor, 0, start);

	if (before && strchr(".>$`@", cursor->text[before - 1]))
		return false;
	return is_assigned(cursor, end) || is_declared(completer, start);
}

/* The type of a name that the compiler has met, or "". */
static const char *type_of(struct completer *completer, enum word_kind kind,
			   const char *name)
{
	static const enum ident_scope scopes[] = {
		[WORD_PLAIN] = SCOPE_GLOBAL,
		[WORD_SELF] = SCOPE_SELF,
		[WORD_THIS] = SCOPE_THIS,
	};
	struct language *language = completer->language;

	complete_enter(completer);
	const struct ident *ident =
		kind == WORD_AGGREGATION
			? language_find_aggregation(language, name)
			: ident_known(language, scopes[kind], name);

	if (ident && kind == WORD_AGGREGATION)
		return ident->function ? ident->function->name : "";
	return ident && ident->type && ident->kind != IDENT_FUNCTION
		       ? type_name(language->types, ident->type)
		       : "";
}

static void offer_word(struct completer *completer, size_t start, size_t end,
		       enum word_kind kind)
{
	const struct cursor *cursor = &completer->cursor;
	struct str typed = completer->typed;
	size_t n = end - start;

	if (n < typed.n || memcmp(cursor->text + start, typed.p, typed.n) ||
	    !is_own(completer, start, end, kind))
		return;
	const char *name = arena_strndup(completer->language->arena,
					 cursor->text + start, n);

	if (!table_get(&completer->seen, str_of(name)))
		complete_offer(completer, name,
			       kind == WORD_AGGREGATION ? COMPLETE_AGGREGATION
							: COMPLETE_VARIABLE,
			       type_of(completer, kind, name), "");
}

void complete_words(struct completer *completer, enum word_kind kind)
{
	const struct cursor *cursor = &completer->cursor;

	for (size_t i = 0; i < cursor->length;) {
		size_t end = cursor_skip(cursor->text, cursor->length, i);

		if (end == i && !cursor_is_word(cursor->text[i]))
			end++;
		if (end > i) {
			i = end;
			continue;
		}
		while (end < cursor->length &&
		       cursor_is_word(cursor->text[end]))
			end++;
		/* not the one that is being typed */
		if (i != completer->word)
			offer_word(completer, i, end, kind);
		i = end;
	}
}
