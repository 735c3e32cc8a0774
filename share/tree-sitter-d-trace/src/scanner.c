/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slash that closes a predicate.
 *
 * It is a division unless a { follows, behind blanks and comments, or the program ends
 * there.  dtrace looks for the same.
 */
#include <tree_sitter/parser.h>

enum { PREDICATE_END };

void *tree_sitter_d_trace_external_scanner_create(void)
{
	return NULL;
}

void tree_sitter_d_trace_external_scanner_destroy(void *payload)
{
	(void)payload;
}

unsigned tree_sitter_d_trace_external_scanner_serialize(void *payload, char *buffer)
{
	(void)payload;
	(void)buffer;
	return 0;
}

void tree_sitter_d_trace_external_scanner_deserialize(void *payload, const char *buffer, unsigned length)
{
	(void)payload;
	(void)buffer;
	(void)length;
}

static bool is_blank(int32_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Behind the first byte of a comment: to its end, or false: it is none. */
static bool skip_comment(TSLexer *lexer)
{
	if (lexer->lookahead == '/') {
		while (lexer->lookahead != '\n' && !lexer->eof(lexer))
			lexer->advance(lexer, false);
		return true;
	}
	if (lexer->lookahead != '*')
		return false;
	int32_t before = 0;

	for (lexer->advance(lexer, false); !lexer->eof(lexer); lexer->advance(lexer, false)) {
		if (before == '*' && lexer->lookahead == '/') {
			lexer->advance(lexer, false);
			return true;
		}
		before = lexer->lookahead;
	}
	return true;
}

bool tree_sitter_d_trace_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols)
{
	(void)payload;
	if (!valid_symbols[PREDICATE_END])
		return false;
	while (is_blank(lexer->lookahead))
		lexer->advance(lexer, true);
	if (lexer->lookahead != '/')
		return false;
	lexer->advance(lexer, false);
	lexer->mark_end(lexer);
	lexer->result_symbol = PREDICATE_END;
	/* a comment, not a slash */
	if (lexer->lookahead == '*')
		return false;
	for (;;) {
		while (is_blank(lexer->lookahead))
			lexer->advance(lexer, false);
		if (lexer->lookahead == '{' || lexer->lookahead == ';' || lexer->eof(lexer))
			return true;
		if (lexer->lookahead != '/')
			return false;
		lexer->advance(lexer, false);
		if (!skip_comment(lexer))
			return false;
	}
}
