/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Type names as text: "const char *", "struct ext4`inode *", "int (*)()".
 *
 * This reads the type names in tables of the program (prototypes of functions,
 * arguments of probes).  D source is not parsed here: the language has its own
 * parser, which also explains errors.  Here an error is NULL.
 *
 * A declarator is read inside out: what is in parentheses is derived from what
 * the suffixes after the parentheses make of the type in front.
 */
#include "btf/internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 64, MOST_SUFFIXES = 16 };

struct reader {
	struct types *types;
	const char *at;
	unsigned depth;
	bool is_user;	  /* "userland" was among the words */
	bool allows_name; /* in a parameter list */
};

static void skip_blanks(struct reader *reader)
{
	while (isspace((unsigned char)*reader->at))
		reader->at++;
}

static bool accept(struct reader *reader, char c)
{
	skip_blanks(reader);
	if (*reader->at != c)
		return false;
	reader->at++;
	return true;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The next word, without taking it; empty when none is there. */
static struct str peek_word(struct reader *reader)
{
	skip_blanks(reader);
	struct str word = { reader->at, 0 };

	if (isdigit((unsigned char)*word.p))
		return word;
	while (is_word_char(word.p[word.n]))
		word.n++;
	return word;
}

static bool accept_word(struct reader *reader, const char *text)
{
	struct str word = peek_word(reader);

	if (!str_is(word, text))
		return false;
	reader->at += word.n;
	return true;
}

/* ------------------------------------------------------------ specifiers */

struct qualifiers {
	bool is_const, is_volatile, is_restrict;
};

static bool accept_qualifier(struct reader *reader, struct qualifiers *found)
{
	if (accept_word(reader, "const"))
		return found->is_const = true;
	if (accept_word(reader, "volatile"))
		return found->is_volatile = true;
	if (accept_word(reader, "restrict"))
		return found->is_restrict = true;
	if (accept_word(reader, "userland"))
		return reader->is_user = true;
	return false;
}

static struct type *qualify(struct types *types, struct type *type,
			    const struct qualifiers *qualifiers)
{
	if (type && qualifiers->is_volatile)
		type = type_qualified(types, TYPE_VOLATILE, type);
	if (type && qualifiers->is_restrict)
		type = type_qualified(types, TYPE_RESTRICT, type);
	if (type && qualifiers->is_const)
		type = type_qualified(types, TYPE_CONST, type);
	return type;
}

/* name, module`name or `name */
static struct type *parse_name(struct reader *reader, enum tag_kind tag)
{
	struct types *types = reader->types;
	const char *scope = NULL;
	struct str word = peek_word(reader);

	reader->at += word.n;
	if (*reader->at == '`') {
		scope = arena_strndup(types->arena, word.p, word.n);
		reader->at++;
		word = peek_word(reader);
		reader->at += word.n;
	}
	return types_lookup(types, scope, tag, word);
}

static struct type *parse_specifiers(struct reader *reader)
{
	struct qualifiers qualifiers = { 0 };
	struct base_words words = { { 0 } };
	struct type *type = NULL;
	bool has_words = false;

	for (;;) {
		if (accept_qualifier(reader, &qualifiers))
			continue;
		struct str word = peek_word(reader);

		if (type || (!word.n && *reader->at != '`'))
			break;
		if (base_words_add(&words, word)) {
			reader->at += word.n;
			has_words = true;
			continue;
		}
		if (has_words)
			break;
		enum tag_kind tag = accept_word(reader, "struct")  ? TAG_STRUCT
				    : accept_word(reader, "union") ? TAG_UNION
				    : accept_word(reader, "enum")  ? TAG_ENUM
								   : TAG_NONE;

		type = parse_name(reader, tag);
		if (!type)
			return NULL;
	}
	if (has_words) {
		enum base_type base = base_words_type(&words);

		type = base == BASE_COUNT ? NULL
					  : types_base(reader->types, base);
	}
	return qualify(reader->types, type, &qualifiers);
}

/* ----------------------------------------------------------- declarators */

static struct type *parse_type(struct reader *reader);

/* After "(": the parameters up to and including ")". */
static struct type *parse_params(struct reader *reader, struct type *result)
{
	struct type *params[MOST_PARAMS];
	uint32_t count = 0;
	bool is_variadic = false, allowed_name = reader->allows_name;

	reader->allows_name = true;
	if (!accept(reader, ')')) {
		do {
			skip_blanks(reader);
			if (!strncmp(reader->at, "...", 3)) {
				reader->at += 3;
				is_variadic = true;
				break;
			}
			if (count == MOST_PARAMS ||
			    !(params[count] = parse_type(reader)))
				return NULL;
			count++;
		} while (accept(reader, ','));
		if (!accept(reader, ')'))
			return NULL;
	}
	reader->allows_name = allowed_name;
	if (count == 1 && params[0]->kind == TYPE_VOID)
		count = 0;
	return type_function(reader->types, result, params, NULL, count,
			     is_variadic);
}

/* After "[": the number of elements up to and including "]"; none is 0. */
static bool parse_count(struct reader *reader, uint64_t *count)
{
	char *end;

	*count = 0;
	if (accept(reader, ']'))
		return true;
	if (!isdigit((unsigned char)*reader->at))
		return false;
	errno = 0;
	*count = strtoull(reader->at, &end, 0);
	reader->at = end;
	return !errno && accept(reader, ']');
}

static struct type *parse_suffixes(struct reader *reader, struct type *type)
{
	uint64_t counts[MOST_SUFFIXES];
	unsigned n = 0;

	if (accept(reader, '('))
		return parse_params(reader, type);
	while (accept(reader, '[')) {
		if (n == MOST_SUFFIXES || !parse_count(reader, &counts[n++]))
			return NULL;
	}
	while (n)
		type = type_array(reader->types, type, counts[--n]);
	return type;
}

/* At "(": does a declarator follow, and not parameters? */
static bool is_nested(struct reader *reader)
{
	skip_blanks(reader);
	if (*reader->at != '(')
		return false;
	const char *next = reader->at + 1;

	while (isspace((unsigned char)*next))
		next++;
	return *next == '*' || *next == '(' || *next == '[';
}

/* After "(": moves past the matching ")". */
static bool skip_nested(struct reader *reader)
{
	unsigned open = 1;

	while (open && *reader->at) {
		open += *reader->at == '(';
		open -= *reader->at == ')';
		reader->at++;
	}
	return !open;
}

static struct type *parse_declarator(struct reader *reader, struct type *type)
{
	if (++reader->depth > DEEPEST)
		return NULL;
	while (accept(reader, '*')) {
		struct qualifiers qualifiers = { 0 };

		type = reader->is_user ? type_user_pointer(reader->types, type)
				       : type_pointer(reader->types, type);
		while (accept_qualifier(reader, &qualifiers))
			;
		type = qualify(reader->types, type, &qualifiers);
	}
	if (is_nested(reader)) {
		accept(reader, '(');
		struct reader inner = *reader;

		if (!skip_nested(reader) ||
		    !(type = parse_suffixes(reader, type)))
			return NULL;
		type = parse_declarator(&inner, type);
		return type && accept(&inner, ')') ? type : NULL;
	}
	if (reader->allows_name)
		reader->at += peek_word(reader).n;
	return parse_suffixes(reader, type);
}

static struct type *parse_type(struct reader *reader)
{
	bool was_user = reader->is_user;

	if (++reader->depth > DEEPEST)
		return NULL;
	reader->is_user = false;
	struct type *type = parse_specifiers(reader);

	if (type)
		type = parse_declarator(reader, type);
	reader->is_user = was_user;
	return type;
}

struct type *types_parse(struct types *types, const char *text)
{
	struct reader reader = { .types = types, .at = text };
	struct type *type = parse_type(&reader);

	skip_blanks(&reader);
	return *reader.at ? NULL : type;
}
