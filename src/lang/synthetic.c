/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synthetic probes: a provider that is made of functions of a program.
 *
 *	provider shop {
 *		probe sale__done(int price)
 *		{
 *			shopd:sell:entry { self->price = arg1; }
 *			shopd:sell:return /self->price/ { fire(self->price); }
 *		};
 *	};
 *
 * The body of a probe is clauses, as in a program, with two differences.  A
 * description is object:function:name, where the name is entry or return.  And
 * statements are expressions, because they are evaluated where a provider's
 * table has one; the last may be fire(), which makes the probe fire with these
 * arguments.
 *
 * Here the text is checked for its form and cut into pieces.  What the pieces
 * mean depends on the function (its arguments have types), so they are compiled
 * when the probe is enabled (provider/synthetic.c).
 */
#include "lang/check.h"
#include "lang/parser.h"

static const char *text_between(struct parser *parser, size_t from, size_t to)
{
	const char *text = parser->lexer.source->text;

	return arena_strndup(parser->language->arena, text + from, to - from);
}

/* The expression here, as text; NULL: it is none. */
static const char *take_text(struct parser *parser,
			     struct node *(*parse)(struct parser *parser))
{
	size_t from = token_peek(parser)->place.offset;

	if (!parse(parser))
		return NULL;
	return text_between(parser, from, token_peek(parser)->place.offset);
}

static bool is_fire(struct parser *parser)
{
	const struct token *token = token_peek(parser);

	return token->kind == TOKEN_NAME && !token->scope &&
	       str_is(token->text, "fire");
}

/* fire(a, b); */
static bool parse_fire(struct parser *parser,
		       const struct provider_probe *probe,
		       struct provider_clause *clause)
{
	struct place place = token_peek(parser)->place;
	uint32_t count = 0;

	token_skip(parser);
	if (!token_expect(parser, TOKEN_LEFT_PAREN))
		return false;
	clause->fires = true;
	clause->args = arena_array_of(parser->language->arena, const char *,
				      probe->nnative + 1);
	while (!token_is(parser, TOKEN_RIGHT_PAREN)) {
		const char *text = take_text(parser, parse_assignment);

		if (!text)
			return false;
		if (count < probe->nnative)
			clause->args[count] = text;
		count++;
		if (!token_accept(parser, TOKEN_COMMA))
			break;
	}
	if (count != probe->nnative)
		return parse_error(
			parser, &place, D_PROTO_LEN,
			"fire( ) prototype mismatch: %u arg%s passed, %u expected by probe %s",
			count, count == 1 ? "" : "s", probe->nnative,
			probe->name);
	return token_expect(parser, TOKEN_RIGHT_PAREN) &&
	       token_expect(parser, TOKEN_SEMICOLON);
}

/* Statements up to the closing brace, as one expression without a value. */
static bool parse_statements_of(struct parser *parser,
				const struct provider_probe *probe,
				struct provider_clause *clause,
				const char **statements)
{
	struct arena *arena = parser->language->arena;

	while (!token_is(parser, TOKEN_RIGHT_BRACE)) {
		if (token_accept(parser, TOKEN_SEMICOLON))
			continue;
		if (is_fire(parser)) {
			if (!parse_fire(parser, probe, clause))
				return false;
			break;
		}
		const char *text = take_text(parser, parse_expression);

		if (!text || !token_expect(parser, TOKEN_SEMICOLON))
			return false;
		*statements = arena_printf(arena, "%s(%s), ", *statements,
					   text);
	}
	if (clause->fires && !token_is(parser, TOKEN_RIGHT_BRACE))
		return parse_error(parser, &token_peek(parser)->place, D_SYNTAX,
				   "fire( ) must be the last statement");
	return true;
}

static bool check_descriptions(struct parser *parser,
			       const struct provider_clause *clause)
{
	for (const struct probe_desc *desc = clause->descs; desc;
	     desc = desc->next) {
		bool has_place = *desc->module && *desc->function &&
				 *desc->name && !*desc->provider &&
				 strcmp(desc->module, "a.out") &&
				 strcmp(desc->module, "*");

		if (!has_place)
			return parse_error(
				parser, &desc->place, D_PDESC_INVAL,
				"a synthetic probe is made of object:function:entry or object:function:return, with the name of a program or library as object");
	}
	return true;
}

/* DESCRIPTIONS [/predicate/] { statements } */
static bool parse_clause_of(struct parser *parser,
			    const struct provider_probe *probe,
			    struct provider_clause *clause)
{
	struct arena *arena = parser->language->arena;
	struct clause head = { 0 };
	const char *statements = "";

	parser->lexer.context = CONTEXT_PROGRAM;
	if (!parse_clause_head(parser, &head))
		return false;
	clause->descs = head.descs;
	clause->place = head.place;
	if (!check_descriptions(parser, clause))
		return false;
	parser->lexer.context = CONTEXT_ACTIONS;
	if (!token_expect(parser, TOKEN_LEFT_BRACE) ||
	    !parse_statements_of(parser, probe, clause, &statements))
		return false;
	parser->lexer.context = CONTEXT_PROGRAM;
	token_skip(parser); /* its closing brace */
	const char *value = clause->fires ? "1" : "0";

	if (head.predicate)
		clause->when = arena_printf(arena, "(%.*s) ? (%s%s) : 0",
					    (int)head.predicate_text.n,
					    head.predicate_text.p, statements,
					    value);
	else if (*statements || !clause->fires)
		clause->when = arena_printf(arena, "%s%s", statements, value);
	return true;
}

/* Pointers lead into the process, unless they are translated. */
static void point_to_user(struct types *types, struct provider_probe *probe)
{
	for (uint32_t i = 0; i < probe->noutput; i++)
		if (type_same(types, probe->output[i],
			      probe->native[probe->mapping[i]]))
			probe->output[i] = type_to_user(types,
							probe->output[i]);
	for (uint32_t i = 0; i < probe->nnative; i++)
		probe->native[i] = type_to_user(types, probe->native[i]);
}

bool parse_synthetic(struct parser *parser, struct provider_probe *probe)
{
	struct provider_clause **tail = &probe->clauses;
	struct lexer *lexer = &parser->lexer;
	bool fires = false;

	token_skip(parser);
	point_to_user(parser->language->types, probe);
	for (;;) {
		if (!lexer_skip(lexer))
			return false;
		if (lexer_peek(lexer, 0) == '}')
			break;
		*tail = arena_new_of(parser->language->arena,
				     struct provider_clause);
		if (!parse_clause_of(parser, probe, *tail))
			return false;
		fires |= (*tail)->fires;
		tail = &(*tail)->next;
	}
	token_skip(parser);
	return fires ||
	       parse_error(
		       parser, &probe->place, D_SYNTAX,
		       "probe %s never fires: none of its clauses has fire( )",
		       probe->name);
}

void language_synthetics(struct language *language,
			 bool (*wants)(void *data, const char *provider),
			 void (*visit)(void *data,
				       const struct provider_decl *provider),
			 void *data)
{
	library_load_providers(language, wants, data);
	for (const struct provider_decl *provider = language->providers;
	     provider; provider = provider->next) {
		const struct provider_probe *probe = provider->probes;

		while (probe && !probe->clauses)
			probe = probe->next;
		if (probe && wants(data, provider->name))
			visit(data, provider);
	}
}
