/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C headers have and D does not.
 *
 * With -C a program may include the headers of the C library and the kernel.
 * They are almost D: declarations of types, with words of GNU C in between, and
 * small functions.  The words are dropped where tokens are made, so that the
 * parser never meets them; the two attributes that change the layout, packed
 * and aligned, are kept in the lexer for the struct that is being read.  Other
 * spellings of D's own words (__signed__) are in tokens.def.
 *
 * Functions that are static or inline are skipped whole in included files
 * (speaks_c); others are D's, as they are in a script.  Arrays of no elements,
 * empty structs, variables with a value and members with the name of a D keyword
 * are accepted only in included files.
 */
#include "lang/parser.h"

#include <stdlib.h>

/* aligned without a number: the largest alignment of the machine */
enum { BIGGEST_ALIGNMENT = 16, MOST_ALIGNMENT = 1 << 16 };

static bool is_word(const struct token *token, const char *word,
		    const char *other)
{
	return token->kind == TOKEN_NAME && !token->scope &&
	       (str_is(token->text, word) || str_is(token->text, other));
}

/* What the lexer keeps of one attribute; `next` follows its name. */
static void note_attribute(struct lexer *lexer, const struct token *name,
			   const struct token *next)
{
	struct packing *packing = &lexer->packing;

	if (is_word(name, "packed", "__packed__"))
		packing->is_packed = true;
	if (!is_word(name, "aligned", "__aligned__"))
		return;
	if (next->kind == TOKEN_LEFT_PAREN) {
		struct lexer ahead = *lexer;
		struct token value;

		ahead.is_quiet = true;
		lexer_read(&ahead, &value);
		/* sizeof and the like: what the type has anyway */
		if (value.kind != TOKEN_INTEGER || value.value > MOST_ALIGNMENT)
			return;
		packing->align = (uint32_t)value.value;
	} else {
		packing->align = BIGGEST_ALIGNMENT;
	}
}

/* From the opening parenthesis after a word to the one that closes it. */
static bool skip_parentheses(struct lexer *lexer, struct token *token,
			     bool is_attribute)
{
	struct token before = *token;
	uint32_t outside = lexer->parens;

	lexer_read(lexer, token);
	if (token->kind != TOKEN_LEFT_PAREN)
		return token_unexpected(lexer, token);
	while (lexer->parens > outside) {
		before = *token;
		lexer_read(lexer, token);
		if (token->kind == TOKEN_ERROR)
			return false;
		if (token->kind == TOKEN_END)
			return token_unexpected(lexer, token);
		if (is_attribute)
			note_attribute(lexer, &before, token);
	}
	return true;
}

bool extension_skip(struct lexer *lexer, struct token *token)
{
	enum token_kind kind = token->kind;

	if (kind != TOKEN_EXTENSION && kind != TOKEN_ATTRIBUTE &&
	    kind != TOKEN_ASM)
		return false;
	if (kind == TOKEN_EXTENSION ||
	    skip_parentheses(lexer, token, kind == TOKEN_ATTRIBUTE))
		return true;
	token->kind = TOKEN_ERROR;
	return false;
}

void extension_pack(struct pack_limit *pack, const char *text)
{
	const uint32_t room = sizeof(pack->pushed) / sizeof(*pack->pushed);
	const char *digits = text + strcspn(text, "0123456789");

	if (strstr(text, "push")) {
		if (pack->count < room)
			pack->pushed[pack->count++] = pack->most;
		if (!*digits)
			return;
	} else if (strstr(text, "pop")) {
		pack->most = pack->count ? pack->pushed[--pack->count] : 0;
		return;
	}
	pack->most = (uint32_t)strtoul(digits, NULL, 10);
	if (pack->most > BIGGEST_ALIGNMENT)
		pack->most = 0;
}

bool speaks_c(const struct parser *parser)
{
	return parser->language->is_building || parser->lexer.file;
}

/* One token that need not be D; false at the end. */
static bool skip_any(struct parser *parser)
{
	if (token_is(parser, TOKEN_END))
		return token_refuse(parser);
	if (token_is(parser, TOKEN_ERROR))
		return false;
	token_skip(parser);
	return true;
}

bool extension_skip_body(struct parser *parser)
{
	uint32_t outside = parser->lexer.braces - 1;

	if (!token_is(parser, TOKEN_LEFT_BRACE))
		return token_expect(parser, TOKEN_SEMICOLON);
	token_skip(parser);
	while (parser->lexer.braces > outside)
		if (!skip_any(parser))
			return false;
	return true;
}

bool extension_skip_value(struct parser *parser)
{
	while (!token_is(parser, TOKEN_SEMICOLON) || parser->lexer.braces)
		if (!skip_any(parser))
			return false;
	token_skip(parser);
	return true;
}

bool extension_skip_subscript(struct parser *parser)
{
	uint32_t outside = parser->lexer.brackets - 1;

	do
		if (!skip_any(parser))
			return false;
	while (parser->lexer.brackets > outside);
	return true;
}

void extension_apply(struct types *types, const struct packing *packing,
		     struct type *sou)
{
	struct member *member = &sou->members[sou->nmembers - 1];
	uint64_t natural = type_align(types, member->type);

	if (packing->is_packed)
		member->align = 1;
	if (packing->align)
		member->align = packing->is_packed || packing->align > natural
					? packing->align
					: 0;
}
