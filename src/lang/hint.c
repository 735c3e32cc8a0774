/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hints: what was probably meant.
 *
 * The parser can only say which token it could not use, the checker which types
 * do not fit.  For common mistakes, the token and what is open around it, or
 * the operator and the types, are enough to say more.  Where nothing is likely,
 * there is no hint.
 */
#include "lang/check.h"
#include "lang/parser.h"

static bool is_word_before(const struct token *token, const char *word)
{
	const char *text = token->place.source->text;
	size_t at = token->place.offset, length = strlen(word);

	return at >= length && !memcmp(text + at - length, word, length);
}

static const char *hint_keyword(const struct lexer *lexer,
				const struct token *token)
{
	switch (token->kind) {
	case TOKEN_SWITCH:
	case TOKEN_CASE:
	case TOKEN_GOTO:
		return "use if and else, or clauses with predicates";
	case TOKEN_RETURN:
		return "a clause ends at its }; exit(status) ends the program";
	case TOKEN_ELSE:
		return "is there a ; before the else, and an if before that?";
	default:
		break;
	}
	if (keyword_flags(token->kind) & KEYWORD_TYPE)
		return lexer->context == CONTEXT_ACTIONS
			       ? "a declaration is a statement of its own in a block { }"
			       : NULL;
	return NULL;
}

static const char *hint_opened(const struct lexer *lexer,
			       const struct token *token)
{
	if (token->kind != TOKEN_END && token->kind != TOKEN_RIGHT_BRACE &&
	    token->kind != TOKEN_SEMICOLON && token->kind != TOKEN_LEFT_BRACE)
		return NULL;
	if (lexer->parens)
		return "a ) is missing before it";
	if (lexer->brackets)
		return "a ] is missing before it";
	if (token->kind == TOKEN_END && lexer->braces)
		return "a } is missing at the end";
	if (lexer->context == CONTEXT_PREDICATE)
		return "the / that closes the predicate is missing";
	return NULL;
}

static const char *hint_of(const struct lexer *lexer, const struct token *token)
{
	const char *first = token->place.source->text + token->place.offset;
	const char *hint = hint_opened(lexer, token);

	if (hint)
		return hint;
	if (token->place.length && (unsigned char)*first >= 0x80)
		return "outside of strings and comments D is written in ASCII: is it a blank or quotation mark of a text processor?";
	if (token->kind == TOKEN_DOT && is_word_before(token, "self"))
		return "write self->name";
	if (token->kind == TOKEN_DOT && is_word_before(token, "this"))
		return "write this->name";
	if (lexer->context == CONTEXT_PROGRAM && token->kind == TOKEN_ASSIGN)
		return "a declaration gives no value: assign it in BEGIN { ... }";
	if (lexer->context == CONTEXT_PROGRAM &&
	    (token->kind == TOKEN_LEFT_BRACE || token->kind == TOKEN_SLASH))
		return "a clause begins with its probe: BEGIN { ... }";
	return hint_keyword(lexer, token);
}

void hint_syntax(struct lexer *lexer, const struct token *token)
{
	if (!lexer->is_quiet && hint_unknown_cast(lexer, token))
		return;
	const char *hint = lexer->is_quiet ? NULL : hint_of(lexer, token);

	if (hint)
		diag_hint(&lexer->language->diag, "%s", hint);
}

/* ------------------------------------------------------------ operators */

static bool is_character_constant(const struct node *node)
{
	const struct place *place = &node->place;

	return node->kind == NODE_INTEGER && place->source &&
	       place->offset < place->source->length &&
	       place->source->text[place->offset] == '\'';
}

void hint_operands(struct checker *checker, const struct node *node)
{
	struct diag *diag = &checker->language->diag;
	struct types *types = checker_types(checker);
	const struct node *left = node->binary.left;
	const struct node *right = node->binary.right;
	bool has_string = type_is_string(types, left->type) ||
			  type_is_string(types, right->type);

	if (type_is_float(types, left->type) ||
	    type_is_float(types, right->type))
		diag_hint(
			diag,
			"floating-point values can be read and printed, not computed with");
	else if (has_string &&
		 (is_character_constant(left) || is_character_constant(right)))
		diag_hint(diag, "strings stand in double quotes");
	else if (has_string &&
		 (node->op == OP_ADD || node->op == OP_ADD_ASSIGN))
		diag_hint(diag, "strjoin(a, b) joins strings");
}
