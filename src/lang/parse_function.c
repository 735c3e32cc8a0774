/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parser: definitions of functions.
 *
 * A declaration of a function that goes on with { is a definition.  Its body is
 * read like that of a clause; parameters are names of the body's outermost
 * scope.
 *
 * A program may call a function above its definition.  The checker then asks
 * for it (parser_find_function), and the rest of the text is searched for a
 * definition of that name, which is read and entered early.  The parser meets
 * it again when it gets there.  Only a name that is not known otherwise costs
 * the search.
 */
#include "lang/check.h"
#include "lang/parser.h"

/* ---------------------------------------------------------- definition */

static bool check_storage(struct parser *parser,
			  const struct specifiers *specifiers)
{
	switch (specifiers->storage) {
	case STORAGE_NONE:
	case STORAGE_STATIC:
	case STORAGE_EXTERN:
		return true;
	default:
		return parse_error(
			parser, &specifiers->place, D_DECL_BADCLASS,
			"specified storage class not appropriate in D");
	}
}

static bool check_type(struct parser *parser, const struct place *place,
		       const char *what, const char *name, struct type *type)
{
	struct types *types = parser->language->types;
	struct type *bare = type_strip(types, type);

	if (bare->kind == TYPE_FORWARD ||
	    (type_is_sou(types, bare) && !type_complete(types, bare)))
		return parse_error(parser, place, D_DECL_INCOMPLETE,
				   "incomplete struct/union/enum %s: %s",
				   type_name(types, type), name);
	if (bare->kind == TYPE_ARRAY || bare->kind == TYPE_FUNCTION ||
	    bare->kind == TYPE_STACK)
		return parse_error(parser, place, D_FUNC_TYPE,
				   "function %s may not be of type %s: %s",
				   what, type_name(types, type), name);
	return true;
}

static bool check_types(struct parser *parser,
			const struct declarator *declarator)
{
	const struct parameter_list *list = declarator->parameters;
	struct type *type = type_strip(parser->language->types,
				       declarator->type);

	if (list->is_variadic)
		return parse_error(
			parser, &declarator->place, D_DECL_PROTO_VARARGS,
			"function prototype may not use a variable-length argument list");
	if (!check_type(parser, &declarator->place, "result", declarator->name,
			type->target))
		return false;
	for (uint32_t i = 0; i < list->count; i++)
		if (!check_type(parser, &list->places[i], "parameter",
				list->names[i] ? list->names[i] : "(anonymous)",
				list->types[i]))
			return false;
	return true;
}

/* For the parser: a name that is no type.  The checker makes its own. */
static void declare_params(struct parser *parser, struct scope *scope,
			   const struct parameter_list *list)
{
	struct arena *arena = parser->language->arena;

	for (uint32_t i = 0; i < list->count; i++) {
		struct ident *ident;

		if (!list->names[i])
			continue;
		ident = arena_new_of(arena, struct ident);
		ident->name = list->names[i];
		ident->kind = IDENT_PARAMETER;
		ident->type = list->types[i];
		ident->place = list->places[i];
		scope_declare(scope, arena, ident);
	}
}

static bool parse_function_body(struct parser *parser,
				struct function_definition *definition,
				const struct parameter_list *list)
{
	enum lexer_context context = parser->lexer.context;
	struct scope scope = { 0 };

	scope_enter(&parser->scope, &scope);
	declare_params(parser, &scope, list);
	parser->lexer.context = CONTEXT_ACTIONS;
	parser->nstatements = 0;
	parser->in_function = true;

	bool is_fine = token_expect(parser, TOKEN_LEFT_BRACE) &&
		       parse_statements(parser, &definition->body);

	definition->nstatements = parser->nstatements;
	definition->end = parser->token.place; /* } was the last one */
	parser->in_function = false;
	parser->lexer.context = context;
	scope_leave(&parser->scope);
	return is_fine;
}

bool parse_function_definition(struct parser *parser,
			       const struct specifiers *specifiers,
			       const struct declarator *declarator)
{
	const struct parameter_list *list = declarator->parameters;
	struct language *language = parser->language;
	struct function_definition *definition =
		arena_new_of(language->arena, struct function_definition);

	if (declarator->scope)
		return parse_error(
			parser, &declarator->place, D_DECL_SCOPE,
			"D scoping operator may not be used in a declaration name (%s`%s)",
			declarator->scope, declarator->name);
	if (!check_storage(parser, specifiers) ||
	    !check_types(parser, declarator))
		return false;
	definition->name = declarator->name;
	definition->place = declarator->place;
	definition->type = type_strip(language->types, declarator->type);
	definition->param_names = list->names;
	definition->param_places = list->places;
	definition->nparams = list->count;
	return parse_function_body(parser, definition, list) &&
	       enter_function(language, definition);
}

/* ---------------------------------------------------------- looking ahead */

bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (c >= '0' && c <= '9');
}

void lexer_skip_quoted(struct lexer *lexer)
{
	char quote = lexer_peek(lexer, 0);

	lexer->at++;
	while (!lexer_at_end(lexer) && lexer_peek(lexer, 0) != quote &&
	       lexer_peek(lexer, 0) != '\n')
		lexer->at += lexer_peek(lexer, 0) == '\\' ? 2 : 1;
	if (lexer_peek(lexer, 0) == quote)
		lexer->at++;
}

/* At a word: is it `name`, followed by a parenthesis?  Skips the word. */
static bool is_function_name(struct lexer *lexer, const char *name)
{
	struct str word = { lexer->source->text + lexer->at, 0 };
	struct lexer after;

	while (is_word_byte(lexer_peek(lexer, word.n)))
		word.n++;
	lexer->at += word.n;
	after = *lexer;
	return str_is(word, name) && lexer_skip(&after) &&
	       lexer_peek(&after, 0) == '(';
}

/*
 * The next program element that may define the function: `start` is where it
 * begins, and `lexer` goes on after the name.
 */
static bool find_element(struct lexer *lexer, struct lexer *start,
			 const char *name)
{
	uint32_t braces = 0;

	*start = *lexer;
	while (lexer_skip(lexer) && !lexer_at_end(lexer)) {
		char c = lexer_peek(lexer, 0);

		if (c == '"' || c == '\'') {
			lexer_skip_quoted(lexer);
			continue;
		}
		if (is_word_byte(c)) {
			if (is_function_name(lexer, name) && !braces)
				return true;
			continue;
		}
		lexer->at++;
		braces += c == '{';
		if (c == '}' && braces)
			braces--;
		if (!braces && (c == '}' || c == ';'))
			*start = *lexer;
	}
	return false;
}

/* Does a definition of a function start here, and not a clause? */
static bool starts_definition(struct parser *parser)
{
	struct parser ahead = *parser;
	struct specifiers specifiers;
	struct declarator declarator;

	ahead.lexer.is_quiet = true;
	if (token_is(&ahead, TOKEN_INLINE))
		token_skip(&ahead);
	if (!parse_specifiers(&ahead, &specifiers) ||
	    !parse_declarator(&ahead, &specifiers, DECLARATOR_NAMED,
			      &declarator))
		return false;
	return declarator.parameters && token_is(&ahead, TOKEN_LEFT_BRACE);
}

bool parser_find_function(struct parser *parser, const char *name)
{
	struct language *language = parser->language;
	struct lexer lexer = parser->lexer, start;

	lexer.is_quiet = true;
	lexer.context = CONTEXT_PROGRAM;
	while (find_element(&lexer, &start, name)) {
		struct parser ahead = *parser;

		ahead.lexer = start;
		ahead.lexer.parens = ahead.lexer.brackets = 0;
		ahead.lexer.braces = 0;
		ahead.has_token = false;
		ahead.scope = NULL;
		ahead.nparams = 0;
		ahead.depth = 0;
		/* control lines before it are obeyed when they are met */
		bool is_fine = lexer_skip(&ahead.lexer);

		ahead.lexer.is_quiet = false;
		if (!is_fine || !element_is_declaration(&ahead) ||
		    !starts_definition(&ahead))
			continue;
		return parse_element(&ahead) &&
		       function_known(language, name) != NULL;
	}
	return false;
}
