/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other program elements: inline, translator, provider.
 *
 * This file reads them and checks what their text alone can show: names,
 * lengths, the form of prototypes.  Whether a translator's members fit, or a
 * provider agrees with an earlier one, is checked by the enter_* functions.
 */
#include "lang/parser.h"

enum {
	MAX_PROVIDER_NAME = 63,
	MAX_PROBE_NAME = 63,
	MAX_PROBE_ARGUMENTS = 255,
};

/* -------------------------------------------------------------- inline */

static bool check_inline(struct parser *parser,
			 const struct declarator *declarator)
{
	struct types *types = parser->language->types;
	const struct place *place = &declarator->place;
	const char *name = declarator->name;
	struct type *bare = type_strip(types, declarator->type);

	if (declarator->scope)
		return parse_error(
			parser, place, D_DECL_SCOPE,
			"D scoping operator may not be used in a declaration name (%s`%s)",
			declarator->scope, name);
	if (declarator->has_empty_dimension)
		return parse_error(
			parser, place, D_DECL_ARRNULL,
			"inline declaration requires array dimension or tuple signature: %s",
			name);
	if (bare->kind == TYPE_VOID || bare->kind == TYPE_FUNCTION)
		return parse_error(parser, place, D_DECL_VOIDOBJ,
				   "cannot have %s inline: %s",
				   bare->kind == TYPE_VOID ? "void"
							   : "function",
				   name);
	if (bare->kind == TYPE_FORWARD)
		return parse_error(parser, place, D_DECL_INCOMPLETE,
				   "incomplete struct/union/enum %s: %s",
				   type_name(types, declarator->type), name);
	/* An array that D cannot assign: inline int a[4] = ... */
	if (bare->kind == TYPE_ARRAY && !declarator->keys)
		return parse_error(
			parser, place, D_DECL_ARRSUB,
			"inline declaration requires tuple signature: %s",
			name);
	return !declarator->keys ||
	       parameters_check(parser, declarator->keys, "inline", 0, place);
}

bool parse_inline(struct parser *parser)
{
	struct language *language = parser->language;
	struct specifiers specifiers;
	struct declarator declarator;

	token_skip(parser);
	if (!parse_specifiers(parser, &specifiers))
		return false;
	if (specifiers.storage != STORAGE_NONE)
		return parse_error(
			parser, &specifiers.place, D_DECL_BADCLASS,
			"specified storage class not appropriate for inline declaration");
	if (token_is(parser, TOKEN_ASSIGN) || token_is(parser, TOKEN_SEMICOLON))
		return parse_error(parser, &specifiers.place, D_DECL_USELESS,
				   "inline declaration requires a name");
	if (!parse_declarator(parser, &specifiers, DECLARATOR_NAMED,
			      &declarator))
		return false;
	if (declarator.parameters && token_is(parser, TOKEN_LEFT_BRACE))
		return parse_function_definition(parser, &specifiers,
						 &declarator);
	if (!check_inline(parser, &declarator) ||
	    !token_expect(parser, TOKEN_ASSIGN))
		return false;

	struct inline_definition definition = {
		.name = declarator.name, .type = declarator.type,
		.place = declarator.place,
	};

	if (declarator.keys) {
		definition.signature = arena_new_of(language->arena,
						    struct signature);
		definition.signature->types = declarator.keys->types;
		definition.signature->count = declarator.keys->count;
		definition.param_names = declarator.keys->names;
		parser->params = declarator.keys->names;
		parser->nparams = declarator.keys->count;
	}
	definition.body = parse_expression(parser);
	parser->nparams = 0;
	return definition.body && token_expect(parser, TOKEN_SEMICOLON) &&
	       enter_inline(language, &definition);
}

/* ---------------------------------------------------------- translator */

static bool parse_translator_members(struct parser *parser,
				     struct translator *translator)
{
	struct translator_member **tail = &translator->members;

	while (!token_accept(parser, TOKEN_RIGHT_BRACE)) {
		struct translator_member *member =
			arena_new_of(parser->language->arena,
				     struct translator_member);

		member->name = token_expect_name(parser, &member->place);
		if (!member->name || !token_expect(parser, TOKEN_ASSIGN))
			return false;
		member->value = parse_assignment(parser);
		if (!member->value || !token_expect(parser, TOKEN_SEMICOLON))
			return false;
		*tail = member;
		tail = &member->next;
	}
	return true;
}

/* translator OUT < IN *name > { member = expression; ... }; */
bool parse_translator(struct parser *parser)
{
	struct translator *translator = arena_new_of(parser->language->arena,
						     struct translator);
	struct specifiers specifiers;
	struct declarator input;

	translator->place = token_peek(parser)->place;
	token_skip(parser);
	translator->output = parse_type_name(parser);
	if (!translator->output || !token_expect(parser, TOKEN_LESS) ||
	    !parse_specifiers(parser, &specifiers) ||
	    !parse_declarator(parser, &specifiers, DECLARATOR_NAMED, &input) ||
	    !token_expect(parser, TOKEN_GREATER) ||
	    !token_expect(parser, TOKEN_LEFT_BRACE))
		return false;
	if (input.scope)
		return parse_error(
			parser, &input.place, D_DECL_SCOPE,
			"D scoping operator may not be used in a declaration name (%s`%s)",
			input.scope, input.name);
	translator->input = input.type;
	translator->param = input.name;
	parser->params = &translator->param;
	parser->nparams = 1;
	bool is_fine = parse_translator_members(parser, translator);

	parser->nparams = 0;
	return is_fine && token_expect(parser, TOKEN_SEMICOLON) &&
	       enter_translator(parser->language, translator);
}

/* ------------------------------------------------------------ provider */

/* Probes are written with "__" where their names have "-". */
static const char *probe_name(struct parser *parser, const char *word)
{
	char *name = arena_strdup(parser->language->arena, word);
	char *to = name;

	for (const char *from = word; *from; to++) {
		bool is_dash = from[0] == '_' && from[1] == '_';

		*to = is_dash ? '-' : *from;
		from += is_dash ? 2 : 1;
	}
	*to = '\0';
	return name;
}

/* A provider's or probe's name: any word but a scoped one. */
static const char *parse_declared_name(struct parser *parser, const char *what,
				       size_t longest, struct place *place)
{
	const struct token *token = token_peek(parser);

	*place = token->place;
	if (!token_is_word(token)) {
		token_refuse(parser);
		return NULL;
	}
	if (token->scope) {
		parse_error(parser, place, D_PROV_BADNAME,
			    "%s name may not contain scoping operator: %s",
			    what, token_print(parser->language->arena, token));
		return NULL;
	}
	if (token->text.n > longest) {
		parse_error(parser, place, D_PROV_BADNAME,
			    "%s name may not exceed %zu characters: %s", what,
			    longest,
			    token_print(parser->language->arena, token));
		return NULL;
	}
	const char *name = token_word(parser, token);

	token_skip(parser);
	return name;
}

static bool parse_prototype(struct parser *parser, const char *probe,
			    const char *what, struct parameter_list *list)
{
	struct place place = token_peek(parser)->place;
	const char *kind = arena_printf(parser->language->arena, "probe %s",
					what);

	*list = (struct parameter_list){ 0 };
	if (!token_expect(parser, TOKEN_LEFT_PAREN))
		return false;
	if (!token_accept(parser, TOKEN_RIGHT_PAREN) &&
	    (!parse_parameters(parser, TOKEN_RIGHT_PAREN, list)))
		return false;
	if (list->count > MAX_PROBE_ARGUMENTS)
		return parse_error(
			parser, &place, D_PROV_PRARGLEN,
			"probe %s %s prototype exceeds %u parameters: %u params used",
			probe, what, (unsigned)MAX_PROBE_ARGUMENTS,
			list->count);
	/* An output may be listed twice: `: (T *a, int b, int b)`. */
	if (!strcmp(what, "output")) {
		struct parameter_list unnamed = *list;

		unnamed.names = arena_array_of(parser->language->arena,
					       const char *, list->count + 1);
		if (!parameters_check(parser, &unnamed, kind,
				      PROTOTYPE_ANONYMOUS | PROTOTYPE_VOID,
				      &place))
			return false;
		list->count = unnamed.count;
		return true;
	}
	return parameters_check(parser, list, kind,
				PROTOTYPE_ANONYMOUS | PROTOTYPE_VOID, &place);
}

/* Which input does output i come from? */
static bool map_output(struct parser *parser, const struct parameter_list *in,
		       const struct parameter_list *out, uint32_t i,
		       uint32_t *from)
{
	const char *name = out->names[i];

	if (!name) {
		*from = i;
		if (i < in->count)
			return true;
		return parse_error(
			parser, &out->places[i], D_DECL_PROTO_FORM,
			"parameter is not declared in probe input prototype: (anonymous), parameter #%u",
			i + 1);
	}
	for (*from = 0; *from < in->count; ++*from)
		if (in->names[*from] && !strcmp(in->names[*from], name))
			return true;
	return parse_error(
		parser, &out->places[i], D_DECL_PROTO_FORM,
		"parameter is not declared in probe input prototype: %s, parameter #%u",
		name, i + 1);
}

static bool set_outputs(struct parser *parser, struct provider_probe *probe,
			const struct parameter_list *in,
			const struct parameter_list *out)
{
	probe->output = out->types;
	probe->noutput = out->count;
	probe->mapping = arena_array_of(parser->language->arena, uint32_t,
					out->count);
	for (uint32_t i = 0; i < out->count; i++) {
		if (out == in)
			probe->mapping[i] = i;
		else if (!map_output(parser, in, out, i, &probe->mapping[i]))
			return false;
	}
	return true;
}

/* probe name(inputs) [: (outputs)] [{ clauses }]; */
static bool parse_probe(struct parser *parser, struct provider_probe *probe)
{
	struct parameter_list in, out;
	const char *word;

	if (!token_expect(parser, TOKEN_PROBE))
		return false;
	word = parse_declared_name(parser, "probe", MAX_PROBE_NAME,
				   &probe->place);
	if (!word || !parse_prototype(parser, word, "input", &in))
		return false;
	probe->name = probe_name(parser, word);
	probe->native = in.types;
	probe->native_names = in.names;
	probe->nnative = in.count;
	bool has_outputs = token_accept(parser, TOKEN_COLON);

	if (has_outputs && !parse_prototype(parser, word, "output", &out))
		return false;
	if (!set_outputs(parser, probe, &in, has_outputs ? &out : &in))
		return false;
	if (token_is(parser, TOKEN_LEFT_BRACE) &&
	    !parse_synthetic(parser, probe))
		return false;
	return token_expect(parser, TOKEN_SEMICOLON);
}

bool parse_provider(struct parser *parser)
{
	struct arena *arena = parser->language->arena;
	struct provider_decl *provider = arena_new_of(arena,
						      struct provider_decl);
	struct provider_probe **tail = &provider->probes;

	token_skip(parser);
	provider->name = parse_declared_name(parser, "provider",
					     MAX_PROVIDER_NAME,
					     &provider->place);
	if (!provider->name)
		return false;
	char last = provider->name[strlen(provider->name) - 1];

	if (last >= '0' && last <= '9')
		return parse_error(parser, &provider->place, D_PROV_BADNAME,
				   "provider name may not end with a digit: %s",
				   provider->name);
	for (unsigned i = 0; i < 5; i++)
		provider->attrs[i] = ATTR_PRIVATE;
	if (!token_expect(parser, TOKEN_LEFT_BRACE))
		return false;
	while (!token_accept(parser, TOKEN_RIGHT_BRACE)) {
		*tail = arena_new_of(arena, struct provider_probe);
		if (!parse_probe(parser, *tail))
			return false;
		tail = &(*tail)->next;
	}
	/* The dtrace of Linux distributions does not require it. */
	bool is_closed = parser->language->is_building &&
			 token_accept(parser, TOKEN_END);

	return (is_closed || token_expect(parser, TOKEN_SEMICOLON)) &&
	       enter_provider(parser->language, parser->program, provider);
}
