/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarators: what stands around the name in `int *(*x[3])(char)`.
 *
 * A declarator reads inside out.  So it is first collected as a list of
 * modifiers, the one nearest to the name first, and then applied to the
 * specifiers' type from the far end.  An associative array is a modifier
 * like the others, but it may only be the nearest one: D has no pointers to
 * them and no arrays of them.
 */
#include "lang/parser.h"

enum { MAX_MODIFIERS = 64 };

enum modifier_kind {
	MODIFIER_POINTER, MODIFIER_ARRAY, MODIFIER_TUPLE, MODIFIER_FUNCTION,
};

struct modifier {
	enum modifier_kind kind;
	unsigned qualifiers; /* of a pointer: 1 << enum type_kind */
	bool is_user;
	uint64_t count; /* of an array */
	bool has_count;
	struct parameter_list list; /* of a tuple or a function */
	struct place place;
	struct modifier *next;
};

/* A list whose head is the farthest from the name. */
struct modifiers {
	struct modifier *list;
	uint32_t count;
};

static bool add_modifier(struct parser *parser, struct modifiers *modifiers,
			 const struct modifier *modifier)
{
	if (++modifiers->count > MAX_MODIFIERS)
		return parse_error(
			parser, &modifier->place, D_SYNTAX,
			"declaration is too complex: more than %d modifiers",
			MAX_MODIFIERS);
	struct modifier *copy = arena_copy(parser->language->arena, modifier,
					   sizeof(*modifier));

	copy->next = modifiers->list;
	modifiers->list = copy;
	return true;
}

/* ------------------------------------------------------------- reading */

/* "[...]" after a name: nothing, a size, or a tuple of types. */
static bool parse_subscript(struct parser *parser, struct modifiers *modifiers)
{
	struct modifier modifier = {
		.kind = MODIFIER_ARRAY, .place = token_peek(parser)->place,
	};

	token_skip(parser);
	if (token_accept(parser, TOKEN_RIGHT_BRACKET))
		return add_modifier(parser, modifiers, &modifier);
	if (parser->in_prototype && speaks_c(parser))
		return extension_skip_subscript(parser) &&
		       add_modifier(parser, modifiers, &modifier);
	/* a storage class is as wrong here as in a function's parameters */
	if (type_starts(parser) || token_is(parser, TOKEN_STATIC) ||
	    token_is(parser, TOKEN_AUTO) || token_is(parser, TOKEN_EXTERN) ||
	    token_is(parser, TOKEN_REGISTER)) {
		modifier.kind = MODIFIER_TUPLE;
		return parse_parameters(parser, TOKEN_RIGHT_BRACKET,
					&modifier.list) &&
		       add_modifier(parser, modifiers, &modifier);
	}
	struct place place;
	int64_t count;

	if (!parse_constant(parser, &count, &place) ||
	    count < !speaks_c(parser))
		return parse_error(
			parser, &place, D_DECL_ARRSUB,
			"positive integral constant expression or tuple signature expected as array declaration subscript");
	if (count > UINT32_MAX)
		return parse_error(parser, &place, D_DECL_ARRBIG,
				   "array dimension too big");
	modifier.has_count = true;
	modifier.count = (uint64_t)count;
	return token_expect(parser, TOKEN_RIGHT_BRACKET) &&
	       add_modifier(parser, modifiers, &modifier);
}

static bool parse_function(struct parser *parser, struct modifiers *modifiers)
{
	struct modifier modifier = {
		.kind = MODIFIER_FUNCTION, .place = token_peek(parser)->place,
	};

	bool was_in_prototype = parser->in_prototype;

	token_skip(parser);
	parser->in_prototype = true;
	if (!token_accept(parser, TOKEN_RIGHT_PAREN) &&
	    (!parse_parameters(parser, TOKEN_RIGHT_PAREN, &modifier.list) ||
	     !parameters_check(parser, &modifier.list, "function",
			       PROTOTYPE_ANONYMOUS | PROTOTYPE_VOID |
				       PROTOTYPE_VARIADIC,
			       &modifier.place)))
		return false;
	parser->in_prototype = was_in_prototype;
	return add_modifier(parser, modifiers, &modifier);
}

/* At "(": the parameters of a function, or a declarator in parentheses? */
static bool opens_parameters(struct parser *parser)
{
	struct parser ahead = *parser;

	ahead.lexer.is_quiet = true;
	token_skip(&ahead);
	return token_is(&ahead, TOKEN_RIGHT_PAREN) ||
	       token_is(&ahead, TOKEN_ELLIPSIS) || type_starts(&ahead);
}

static const enum type_kind pointer_qualifiers[TOKEN_KINDS] = {
	[TOKEN_CONST] = TYPE_CONST, [TOKEN_VOLATILE] = TYPE_VOLATILE,
	[TOKEN_RESTRICT] = TYPE_RESTRICT,
};

static bool read_declarator(struct parser *parser, enum declarator_form form,
			    struct modifiers *modifiers,
			    struct declarator *declarator);

/* The name, or a declarator in parentheses, and what follows it. */
static bool read_direct(struct parser *parser, enum declarator_form form,
			struct modifiers *modifiers,
			struct declarator *declarator)
{
	const struct token *token = token_peek(parser);
	bool is_name = token->kind == TOKEN_NAME ||
		       keyword_flags(token->kind) & KEYWORD_SOFT ||
		       (speaks_c(parser) && token_is_word(token));

	if (is_name && form != DECLARATOR_ABSTRACT) {
		declarator->name = token_word(parser, token);
		declarator->scope = token->scope;
		declarator->place = token->place;
		token_skip(parser);
	} else if (token->kind == TOKEN_LEFT_PAREN &&
		   (form == DECLARATOR_NAMED || !opens_parameters(parser))) {
		token_skip(parser);
		if (!read_declarator(parser, form, modifiers, declarator) ||
		    !token_expect(parser, TOKEN_RIGHT_PAREN))
			return false;
	} else if (form == DECLARATOR_NAMED) {
		return token_refuse(parser);
	}
	for (;;) {
		if (token_is(parser, TOKEN_LEFT_BRACKET)) {
			if (!parse_subscript(parser, modifiers))
				return false;
		} else if (token_is(parser, TOKEN_LEFT_PAREN)) {
			if (!parse_function(parser, modifiers))
				return false;
		} else {
			return true;
		}
	}
}

static bool read_star(struct parser *parser, struct modifiers *stars)
{
	struct modifier star = {
		.kind = MODIFIER_POINTER, .place = token_peek(parser)->place,
	};

	token_skip(parser);
	for (;;) {
		enum token_kind kind = token_peek(parser)->kind;

		if (kind == TOKEN_USERLAND)
			star.is_user = true;
		else if (pointer_qualifiers[kind])
			star.qualifiers |= 1u << pointer_qualifiers[kind];
		else
			return add_modifier(parser, stars, &star);
		token_skip(parser);
	}
}

static bool read_declarator(struct parser *parser, enum declarator_form form,
			    struct modifiers *modifiers,
			    struct declarator *declarator)
{
	struct modifiers stars = { 0 };

	while (token_is(parser, TOKEN_STAR))
		if (!read_star(parser, &stars))
			return false;
	if (!nesting_enter(parser) ||
	    !read_direct(parser, form, modifiers, declarator))
		return false;
	nesting_leave(parser);
	/* The last star is the nearest, and all are beyond the suffixes. */
	for (; stars.list; stars.list = stars.list->next)
		if (!add_modifier(parser, modifiers, stars.list))
			return false;
	return true;
}

/* ------------------------------------------------------------ applying */

static bool apply_pointer(struct parser *parser, bool is_user,
			  const struct modifier *modifier,
			  struct declarator *declarator)
{
	struct types *types = parser->language->types;

	declarator->type = is_user || modifier->is_user
				   ? type_user_pointer(types, declarator->type)
				   : type_pointer(types, declarator->type);
	declarator->has_empty_dimension = false;
	for (unsigned kind = TYPE_CONST; kind <= TYPE_RESTRICT; kind++)
		if (modifier->qualifiers & 1u << kind)
			declarator->type = type_qualified(types,
							  (enum type_kind)kind,
							  declarator->type);
	return true;
}

static bool apply_array(struct parser *parser, const struct modifier *modifier,
			struct declarator *declarator)
{
	struct types *types = parser->language->types;
	uint64_t size;

	if (type_is_void(types, declarator->type))
		return parse_error(parser, &modifier->place, D_DECL_VOIDOBJ,
				   "cannot declare array of void");
	if (declarator->has_empty_dimension)
		return parse_error(
			parser, &modifier->place, D_DECL_ARRNULL,
			"array declaration requires array dimension or tuple signature: %s",
			declarator->name ? declarator->name : "");
	if (__builtin_mul_overflow(type_size(types, declarator->type),
				   modifier->count, &size) ||
	    size > OBJECT_MOST)
		return parse_error(parser, &modifier->place, D_DECL_ARRBIG,
				   "array dimension too big");
	declarator->has_empty_dimension = !modifier->has_count;
	declarator->type = type_array(types, declarator->type, modifier->count);
	return true;
}

static bool apply_tuple(struct parser *parser, struct modifier *modifier,
			struct declarator *declarator)
{
	if (type_is_void(parser->language->types, declarator->type))
		return parse_error(parser, &modifier->place, D_DECL_VOIDOBJ,
				   "cannot declare array of void");
	if (!parameters_check(parser, &modifier->list, "array",
			      PROTOTYPE_ANONYMOUS, &modifier->place))
		return false;
	declarator->keys = arena_copy(parser->language->arena, &modifier->list,
				      sizeof(modifier->list));
	return true;
}

static bool apply(struct parser *parser, bool is_user,
		  struct modifier *modifier, struct declarator *declarator)
{
	if (declarator->keys)
		return parse_error(parser, &modifier->place, D_DECL_DYNOBJ,
				   "cannot declare array of associative arrays");
	declarator->parameters = NULL;
	switch (modifier->kind) {
	case MODIFIER_POINTER:
		return apply_pointer(parser, is_user, modifier, declarator);
	case MODIFIER_ARRAY:
		return apply_array(parser, modifier, declarator);
	case MODIFIER_TUPLE:
		return apply_tuple(parser, modifier, declarator);
	case MODIFIER_FUNCTION:
		declarator->type = type_function(parser->language->types,
						 declarator->type,
						 modifier->list.types,
						 modifier->list.names,
						 modifier->list.count,
						 modifier->list.is_variadic);
		declarator->parameters = &modifier->list;
		return true;
	}
	return false;
}

bool parse_declarator(struct parser *parser,
		      const struct specifiers *specifiers,
		      enum declarator_form form, struct declarator *declarator)
{
	*declarator = (struct declarator){
		.type = specifiers->type,
		.place = token_peek(parser)->place,
	};
	struct modifiers modifiers = { 0 };

	if (!read_declarator(parser, form, &modifiers, declarator))
		return false;
	for (; modifiers.list; modifiers.list = modifiers.list->next)
		if (!apply(parser, specifiers->is_user, modifiers.list,
			   declarator))
			return false;
	return true;
}

struct type *parse_type_name(struct parser *parser)
{
	struct specifiers specifiers;
	struct declarator declarator;

	if (!parse_specifiers(parser, &specifiers))
		return NULL;
	if (specifiers.storage != STORAGE_NONE) {
		parse_error(parser, &specifiers.place, D_DECL_BADCLASS,
			    "specified storage class not appropriate in D");
		return NULL;
	}
	if (!parse_declarator(parser, &specifiers, DECLARATOR_ABSTRACT,
			      &declarator))
		return NULL;
	if (declarator.keys) {
		parse_error(parser, &specifiers.place, D_DECL_DYNOBJ,
			    "cannot use associative array as type name");
		return NULL;
	}
	return declarator.type;
}

/* ---------------------------------------------------------- parameters */

/* As in C, an array or function passed is a pointer. */
static struct type *decay(struct types *types, struct type *type)
{
	struct type *bare = type_strip(types, type);

	if (bare->kind == TYPE_ARRAY)
		return type_pointer(types, bare->target);
	if (bare->kind == TYPE_FUNCTION)
		return type_pointer(types, type);
	return type;
}

static bool parse_parameter(struct parser *parser, enum token_kind close,
			    struct declarator *parameter)
{
	struct specifiers specifiers;

	if (!parse_specifiers(parser, &specifiers))
		return false;
	if (specifiers.storage != STORAGE_NONE &&
	    specifiers.storage != STORAGE_REGISTER)
		return parse_error(
			parser, &specifiers.place, D_DECL_PARMCLASS,
			"inappropriate storage class for function or associative array parameter");
	if (!parse_declarator(parser, &specifiers, DECLARATOR_ANY, parameter))
		return false;
	if (!parameter->name)
		parameter->place = specifiers.place;
	if (parameter->keys)
		parameter->type = types_base(parser->language->types,
					     BASE_DYNAMIC);
	else if (close == TOKEN_RIGHT_PAREN)
		parameter->type = decay(parser->language->types,
					parameter->type);
	return true;
}

static void grow(struct arena *arena, struct parameter_list *list,
		 uint32_t *capacity)
{
	struct parameter_list bigger = *list;

	if (list->count < *capacity)
		return;
	*capacity = *capacity ? *capacity * 2 : 4;
	bigger.types = arena_array_of(arena, struct type *, *capacity);
	bigger.names = arena_array_of(arena, const char *, *capacity);
	bigger.places = arena_array_of(arena, struct place, *capacity);
	if (list->count) {
		memcpy(bigger.types, list->types,
		       list->count * sizeof(*list->types));
		memcpy(bigger.names, list->names,
		       list->count * sizeof(*list->names));
		memcpy(bigger.places, list->places,
		       list->count * sizeof(*list->places));
	}
	*list = bigger;
}

bool parse_parameters(struct parser *parser, enum token_kind close,
		      struct parameter_list *list)
{
	uint32_t capacity = 0;

	*list = (struct parameter_list){ 0 };
	do {
		struct declarator parameter;

		if (token_accept(parser, TOKEN_ELLIPSIS)) {
			list->is_variadic = true;
			break;
		}
		if (!parse_parameter(parser, close, &parameter))
			return false;
		grow(parser->language->arena, list, &capacity);
		list->types[list->count] = parameter.type;
		list->names[list->count] = parameter.name;
		list->places[list->count++] = parameter.place;
	} while (token_accept(parser, TOKEN_COMMA));
	return token_expect(parser, close);
}

static bool check_names(struct parser *parser,
			const struct parameter_list *list, const char *what,
			unsigned rules)
{
	struct table seen = { 0 };
	bool is_fine = true;

	for (uint32_t i = 0; i < list->count && is_fine; i++) {
		const char *name = list->names[i];

		if (!name && !(rules & PROTOTYPE_ANONYMOUS))
			is_fine = parse_error(
				parser, &list->places[i], D_DECL_PROTO_NAME,
				"parameter declaration requires a name: parameter #%u",
				i + 1);
		if (!name)
			continue;
		if (table_get(&seen, str_of(name)))
			is_fine = parse_error(
				parser, &list->places[i], D_DECL_PROTO_FORM,
				"parameter is already declared in %s prototype: %s, parameter #%u",
				what, name, i + 1);
		table_put(&seen, str_of(name), &seen);
	}
	table_free(&seen);
	return is_fine;
}

static bool check_type(struct parser *parser, const struct parameter_list *list,
		       uint32_t i, const char *what, unsigned rules)
{
	struct types *types = parser->language->types;
	const char *name = list->names[i] ? list->names[i] : "(anonymous)";
	bool is_void = type_is_void(types, list->types[i]);

	if (is_void && rules & PROTOTYPE_VOID) {
		if (list->count > 1)
			return parse_error(parser, &list->places[i],
					   D_DECL_PROTO_VOID,
					   "void must be sole parameter");
		if (list->names[i])
			return parse_error(
				parser, &list->places[i], D_DECL_PROTO_NAME,
				"void parameter may not have a name: %s", name);
		return true;
	}
	if (is_void || type_is_dynamic(types, list->types[i]))
		return parse_error(
			parser, &list->places[i], D_DECL_PROTO_TYPE,
			"%s prototype may not use parameter of type %s: %s, parameter #%u",
			what, type_name(types, list->types[i]), name, i + 1);
	return true;
}

bool parameters_check(struct parser *parser, struct parameter_list *list,
		      const char *what, unsigned rules,
		      const struct place *place)
{
	if (list->is_variadic && !(rules & PROTOTYPE_VARIADIC))
		return parse_error(
			parser, place, D_DECL_PROTO_VARARGS,
			"%s prototype may not use a variable-length argument list",
			what);
	for (uint32_t i = 0; i < list->count; i++)
		if (!check_type(parser, list, i, what, rules))
			return false;
	if (list->count == 1 &&
	    type_is_void(parser->language->types, list->types[0]))
		list->count = 0;
	return check_names(parser, list, what, rules);
}
