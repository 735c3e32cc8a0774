/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parser: the program and its clauses.
 *
 * At program scope a word may be the beginning of a declaration or a probe
 * description; both character sets overlap (`int*` is either).
 * is_declaration() decides, asking about types only when what follows leaves it
 * open.
 *
 * Each element is handed over (enter_clause and friends) as soon as it is
 * read, because it may define what the next one means.
 */
#include <assert.h>
#include <stdarg.h>

#include "lang/inspect.h"
#include "lang/parser.h"

/* -------------------------------------------------------------- tokens */

const struct token *token_peek(struct parser *parser)
{
	if (!parser->has_token) {
		lexer_next(&parser->lexer, &parser->token);
		parser->has_token = true;
	}
	return &parser->token;
}

bool token_is(struct parser *parser, enum token_kind kind)
{
	return token_peek(parser)->kind == kind;
}

void token_skip(struct parser *parser)
{
	token_peek(parser);
	parser->has_token = false;
}

bool token_accept(struct parser *parser, enum token_kind kind)
{
	if (!token_is(parser, kind))
		return false;
	token_skip(parser);
	return true;
}

bool token_refuse(struct parser *parser)
{
	return token_unexpected(&parser->lexer, token_peek(parser));
}

bool token_expect(struct parser *parser, enum token_kind kind)
{
	return token_accept(parser, kind) || token_refuse(parser);
}

const char *token_word(struct parser *parser, const struct token *token)
{
	return arena_strndup(parser->language->arena, token->text.p,
			     token->text.n);
}

const char *token_expect_name(struct parser *parser, struct place *place)
{
	const struct token *token = token_peek(parser);

	if ((token->kind != TOKEN_NAME || token->scope) &&
	    !(keyword_flags(token->kind) & KEYWORD_SOFT)) {
		token_refuse(parser);
		return NULL;
	}
	if (place)
		*place = token->place;
	const char *name = token_word(parser, token);

	token_skip(parser);
	return name;
}

bool parse_error(struct parser *parser, const struct place *place, enum tag tag,
		 const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const char *message = arena_vprintf(parser->language->arena, format,
					    args);

	va_end(args);
	return lexer_error(&parser->lexer, place, tag, "%s", message);
}

bool nesting_enter(struct parser *parser)
{
	if (++parser->depth <= MAX_NESTING)
		return true;
	return parse_error(parser, &token_peek(parser)->place, D_SYNTAX,
			   "nested too deeply: more than %d levels",
			   MAX_NESTING);
}

void nesting_leave(struct parser *parser)
{
	parser->depth--;
}

/* ------------------------------------------------------------- clauses */

/* One or more descriptions separated by commas. */
static bool parse_specs(struct parser *parser, struct clause *clause)
{
	struct lexer *lexer = &parser->lexer;
	struct probe_desc **tail = &clause->descs;

	for (;;) {
		size_t length = spec_length(lexer);

		if (!length) {
			struct token token;

			lexer_next(lexer, &token);
			return token_unexpected(lexer, &token);
		}
		struct place place = lexer_place(lexer, length);
		struct str text = { lexer->source->text + lexer->at, length };

		*tail = arena_new_of(parser->language->arena,
				     struct probe_desc);
		if (!spec_parse(parser->language, text, parser->kind, &place,
				*tail))
			return false;
		tail = &(*tail)->next;
		lexer->at += length;
		lexer->is_after_spec = true;
		if (!lexer_skip(lexer))
			return false;
		if (lexer_peek(lexer, 0) != ',')
			return true;
		lexer->at++;
		if (!lexer_skip(lexer))
			return false;
	}
}

static bool parse_predicate(struct parser *parser, struct clause *clause)
{
	struct lexer *lexer = &parser->lexer;

	lexer->at++;
	const char *start = lexer->source->text + lexer->at;

	lexer->context = CONTEXT_PREDICATE;
	clause->predicate = parse_expression(parser);
	clause->predicate_text = (struct str){
		start, (size_t)(lexer->source->text +
				token_peek(parser)->place.offset - start)
	};
	if (!clause->predicate || !token_expect(parser, TOKEN_END_PREDICATE))
		return false;
	lexer->context = CONTEXT_PROGRAM;
	if (!lexer_skip(lexer))
		return false;
	if (lexer_peek(lexer, 0) == '{')
		return true;
	return parse_error(
		parser, &clause->predicate->place, D_SYNTAX,
		"expected actions { } following probe description and predicate");
}

static bool parse_body(struct parser *parser, struct clause *clause)
{
	parser->lexer.context = CONTEXT_ACTIONS;
	parser->nstatements = 0;
	if (!token_expect(parser, TOKEN_LEFT_BRACE) ||
	    !parse_block(parser, &clause->statements))
		return false;
	parser->lexer.context = CONTEXT_PROGRAM;
	return true;
}

bool parse_clause_head(struct parser *parser, struct clause *clause)
{
	struct lexer *lexer = &parser->lexer;

	clause->place = lexer_place(lexer, spec_length(lexer));
	if (!parse_specs(parser, clause))
		return false;
	if (lexer_at_empty_predicate(lexer)) {
		lexer->at++;
		return token_refuse(parser);
	}
	lexer->is_after_spec = false;
	return lexer_peek(lexer, 0) != '/' || parse_predicate(parser, clause);
}

static bool parse_clause(struct parser *parser)
{
	struct lexer *lexer = &parser->lexer;
	struct clause *clause = arena_new_of(parser->language->arena,
					     struct clause);

	if (!parse_clause_head(parser, clause))
		return false;
	if (lexer_peek(lexer, 0) == '{') {
		if (!parse_body(parser, clause))
			return false;
	} else if (parser->kind == SPEC_NONE) {
		return parse_error(
			parser, &clause->descs->place, D_SYNTAX,
			"expected predicate and/or actions following probe description");
	}
	if (!parser->is_final && clause_waits(parser->language, clause)) {
		parser->waiting = clause;
		return true;
	}
	return enter_clause(parser->language, parser->program, clause);
}

/* ------------------------------------------------------- program scope */

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (c >= '0' && c <= '9');
}

/* The first byte after the current word, blanks and comments. */
static char byte_after(const struct lexer *lexer, size_t length)
{
	struct lexer ahead = *lexer;

	ahead.is_quiet = true;
	ahead.at += length;
	return lexer_skip(&ahead) ? lexer_peek(&ahead, 0) : '\0';
}

/*
 * Does the current word start a declaration?  `length` is its length in the
 * character set of probe descriptions.  When it could be both and -x pspec is
 * given, or the text is an argument of -n, it is a description.
 */
static bool is_declaration(struct parser *parser, size_t length)
{
	const struct lexer *lexer = &parser->lexer;
	struct str spec = { lexer->source->text + lexer->at, length };
	size_t word = 0, quote = 0;

	while (word < length &&
	       (is_word_char(spec.p[word]) || spec.p[word] == '`')) {
		if (spec.p[word] == '`')
			quote = word + 1;
		word++;
	}
	bool prefers_spec = parser->kind != SPEC_NONE ||
			    option_on(parser->language->config.options,
				      OPTION_PSPEC);

	if (memchr(spec.p, ':', length) || !word)
		return false;
	if (word < length && prefers_spec)
		return false;
	struct str name = { spec.p, word };

	if (!quote) {
		enum token_kind kind = keyword_lookup(name);

		if (kind != TOKEN_NAME)
			return keyword_flags(kind) & KEYWORD_SCOPE;
	}
	/* foo_t *x; foo_t* x; foo_t x[int]; but never foo-bar or foo$1 */
	if (word < length && spec.p[word] != '*')
		return false;
	char after = byte_after(lexer, length);

	if (!after || after == '{' || after == '/' || after == ',' ||
	    after == ';')
		return word < length && after == ';';
	if (quote)
		return is_type_name(parser->language,
				    arena_strndup(parser->language->arena,
						  name.p, quote - 1),
				    (struct str){ name.p + quote,
						  name.n - quote });
	return is_type_name(parser->language, NULL, name);
}

bool element_is_declaration(struct parser *parser)
{
	size_t length = spec_length(&parser->lexer);

	return length && is_declaration(parser, length);
}

bool parse_element(struct parser *parser)
{
	struct lexer *lexer = &parser->lexer;
	size_t length = spec_length(lexer);

	parser->nelements++;
	lexer->parens = lexer->brackets = lexer->braces = 0;
	if (!length) {
		token_refuse(parser);
		return false;
	}
	if (!is_declaration(parser, length))
		return parse_clause(parser);
	switch (token_peek(parser)->kind) {
	case TOKEN_INLINE:
		return parse_inline(parser);
	case TOKEN_TRANSLATOR:
		return parse_translator(parser);
	case TOKEN_PROVIDER:
		return parse_provider(parser);
	default:
		return parse_declaration(parser);
	}
}

static bool parse_to_end(struct parser *parser)
{
	struct language *language = parser->language;
	const struct source *source = parser->lexer.source;

	for (;;) {
		size_t at = parser->lexer.at;

		if (!lexer_skip(&parser->lexer)) {
			if (!inspect_line(parser))
				return false;
			if (parser->lexer.at == at)
				break;
			continue;
		}
		if (lexer_at_end(&parser->lexer))
			break;
		struct lexer start = parser->lexer;

		inspect_begin(parser, &start);
		if (!parse_element(parser) && !inspect_recover(parser, &start))
			return false;
		inspect_end(parser);
		assert(!parser->has_token);
		if (parser->waiting)
			return true;
	}
	if (parser->nelements || language->in_library ||
	    option_on(language->config.options, OPTION_EMPTY))
		return true;
	struct place end = lexer_place(&parser->lexer, 0);

	/* The last line, not the one that would follow it. */
	if (end.line > 1 && source->text[source->length - 1] == '\n')
		end.line--;
	return diag_error(&language->diag, &end, D_EMPTY,
			  "empty D program translation unit");
}

struct parser *parser_new(struct language *language,
			  const struct source *source, enum spec_kind kind,
			  struct program *program)
{
	struct parser *parser = arena_new_of(language->arena, struct parser);

	parser->language = language;
	parser->program = program;
	parser->kind = kind;
	lexer_init(&parser->lexer, language, source);
	return parser;
}

bool parser_waits(const struct parser *parser)
{
	return parser->waiting;
}

bool parser_run(struct parser *parser, bool is_final)
{
	struct clause *clause = parser->waiting;

	struct language *language = parser->language;
	struct parser *outer = language->parser;

	parser->is_final = is_final;
	parser->waiting = NULL;
	language->parser = parser;
	bool is_fine = (!clause ||
			enter_clause(language, parser->program, clause)) &&
		       parse_to_end(parser);
	language->parser = outer;
	return is_fine;
}

bool parse_program(struct language *language, const struct source *source,
		   enum spec_kind kind, struct program *program)
{
	return parser_run(parser_new(language, source, kind, program), true);
}
