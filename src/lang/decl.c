/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations: specifiers, and what they make of a declarator.
 *
 * `unsigned long *x[4]` is read in two steps.  The specifiers (here) give a
 * type and a storage class; the declarator (declarator.c) wraps pointers,
 * arrays and functions around it.  struct, union and enum are in tagged.c.  The
 * rules are those of C; the messages are those of classic D.
 */
#include "lang/parser.h"

enum attribute {
	ATTRIBUTE_SIGNED = 1 << 0,
	ATTRIBUTE_UNSIGNED = 1 << 1,
	ATTRIBUTE_SHORT = 1 << 2,
	ATTRIBUTE_LONG = 1 << 3,
	ATTRIBUTE_LONG_LONG = 1 << 4,
};

/* What has been seen of the specifiers so far. */
struct reading {
	unsigned attributes;
	enum token_kind base; /* char, int, void ...; TOKEN_END: none yet */
	struct type *type;    /* typedef name, struct, union, enum, string */
	unsigned qualifiers;  /* 1 << enum type_kind */
	bool has_storage;
	bool is_complex; /* of C's: two of the base type */
};

static const enum storage storages[TOKEN_KINDS] = {
	[TOKEN_AUTO] = STORAGE_AUTO, [TOKEN_REGISTER] = STORAGE_REGISTER,
	[TOKEN_STATIC] = STORAGE_STATIC, [TOKEN_EXTERN] = STORAGE_EXTERN,
	[TOKEN_TYPEDEF] = STORAGE_TYPEDEF, [TOKEN_SELF] = STORAGE_SELF,
	[TOKEN_THIS] = STORAGE_THIS,
};

static const unsigned attribute_words[TOKEN_KINDS] = {
	[TOKEN_SIGNED] = ATTRIBUTE_SIGNED,
	[TOKEN_UNSIGNED] = ATTRIBUTE_UNSIGNED,
	[TOKEN_SHORT] = ATTRIBUTE_SHORT, [TOKEN_LONG] = ATTRIBUTE_LONG,
};

static const enum type_kind qualifier_words[TOKEN_KINDS] = {
	[TOKEN_CONST] = TYPE_CONST, [TOKEN_VOLATILE] = TYPE_VOLATILE,
	[TOKEN_RESTRICT] = TYPE_RESTRICT,
};

/* Each legal combination of a base word and attributes. */
static const struct {
	enum token_kind base;
	unsigned attributes;
	enum base_type type;
} base_types[] = {
	{ TOKEN_CHAR, 0, BASE_CHAR },
	{ TOKEN_CHAR, ATTRIBUTE_SIGNED, BASE_SCHAR },
	{ TOKEN_CHAR, ATTRIBUTE_UNSIGNED, BASE_UCHAR },
	{ TOKEN_INT, ATTRIBUTE_SHORT, BASE_SHORT },
	{ TOKEN_INT, ATTRIBUTE_SHORT | ATTRIBUTE_SIGNED, BASE_SHORT },
	{ TOKEN_INT, ATTRIBUTE_SHORT | ATTRIBUTE_UNSIGNED, BASE_USHORT },
	{ TOKEN_INT, 0, BASE_INT },
	{ TOKEN_INT, ATTRIBUTE_SIGNED, BASE_INT },
	{ TOKEN_INT, ATTRIBUTE_UNSIGNED, BASE_UINT },
	{ TOKEN_INT, ATTRIBUTE_LONG, BASE_LONG },
	{ TOKEN_INT, ATTRIBUTE_LONG | ATTRIBUTE_SIGNED, BASE_LONG },
	{ TOKEN_INT, ATTRIBUTE_LONG | ATTRIBUTE_UNSIGNED, BASE_ULONG },
	{ TOKEN_INT, ATTRIBUTE_LONG_LONG, BASE_LLONG },
	{ TOKEN_INT, ATTRIBUTE_LONG_LONG | ATTRIBUTE_SIGNED, BASE_LLONG },
	{ TOKEN_INT, ATTRIBUTE_LONG_LONG | ATTRIBUTE_UNSIGNED, BASE_ULLONG },
	{ TOKEN_FLOAT, 0, BASE_FLOAT },
	{ TOKEN_DOUBLE, 0, BASE_DOUBLE },
	{ TOKEN_DOUBLE, ATTRIBUTE_LONG, BASE_LDOUBLE },
	{ TOKEN_INT128, 0, BASE_INT128 },
	{ TOKEN_INT128, ATTRIBUTE_SIGNED, BASE_INT128 },
	{ TOKEN_INT128, ATTRIBUTE_UNSIGNED, BASE_UINT128 },
	{ TOKEN_VOID, 0, BASE_VOID },
};

/* ------------------------------------------------------------- looking */

static bool is_param(const struct parser *parser, struct str name)
{
	for (uint32_t i = 0; i < parser->nparams; i++)
		if (parser->params[i] && str_is(name, parser->params[i]))
			return true;
	return false;
}

/* Parameters of an inline or a translator, and local names, go before types. */
static bool names_type(struct parser *parser, const struct token *token)
{
	if (token->kind != TOKEN_NAME)
		return false;
	if (!token->scope && (is_param(parser, token->text) ||
			      scope_find(parser->scope, token->text)))
		return false;
	return is_type_name(parser->language, token->scope, token->text);
}

bool type_starts(struct parser *parser)
{
	const struct token *token = token_peek(parser);

	return keyword_flags(token->kind) & KEYWORD_TYPE ||
	       names_type(parser, token);
}

/* ---------------------------------------------------------- specifiers */

static bool combination_error(struct parser *parser)
{
	return parse_error(parser, &token_peek(parser)->place, D_DECL_COMBO,
			   "invalid type combination");
}

static bool add_attribute(struct parser *parser, struct reading *reading,
			  unsigned attribute)
{
	unsigned signs = ATTRIBUTE_SIGNED | ATTRIBUTE_UNSIGNED;
	unsigned both = reading->attributes | attribute;

	if (attribute == ATTRIBUTE_LONG &&
	    reading->attributes & ATTRIBUTE_LONG) {
		reading->attributes &= ~(unsigned)ATTRIBUTE_LONG;
		reading->attributes |= ATTRIBUTE_LONG_LONG;
		return true;
	}
	if (reading->attributes & attribute || (both & signs) == signs ||
	    (attribute == ATTRIBUTE_LONG &&
	     reading->attributes & ATTRIBUTE_LONG_LONG))
		return combination_error(parser);
	reading->attributes = both;
	return true;
}

static bool check_attributes(struct parser *parser,
			     const struct reading *reading,
			     const struct place *place)
{
	const unsigned lengths = ATTRIBUTE_SHORT | ATTRIBUTE_LONG |
				 ATTRIBUTE_LONG_LONG;
	const unsigned longs = ATTRIBUTE_LONG | ATTRIBUTE_LONG_LONG;
	unsigned attributes = reading->attributes;
	bool is_integer = !reading->type && reading->base != TOKEN_FLOAT &&
			  reading->base != TOKEN_DOUBLE;

	if (reading->base == TOKEN_CHAR && attributes & lengths)
		return parse_error(
			parser, place, D_DECL_CHARATTR,
			"invalid type declaration: short and long may not be used with char type");
	if (reading->base == TOKEN_VOID && attributes)
		return parse_error(
			parser, place, D_DECL_VOIDATTR,
			"invalid type declaration: attributes may not be used with void type");
	if (!is_integer && attributes & (ATTRIBUTE_SIGNED | ATTRIBUTE_UNSIGNED))
		return parse_error(
			parser, place, D_DECL_SIGNINT,
			"invalid type declaration: signed and unsigned may only be used with integer type");
	if (reading->type && attributes & longs)
		return parse_error(
			parser, place, D_DECL_LONGINT,
			"invalid type declaration: long and long long may only be used with integer or floating-point type");
	if (reading->type && attributes)
		return parse_error(parser, place, D_DECL_COMBO,
				   "invalid type combination");
	return true;
}

static struct type *base_of(struct parser *parser,
			    const struct reading *reading,
			    const struct place *place)
{
	static const struct {
		unsigned attribute;
		const char *word;
	} words[] = {
		{ ATTRIBUTE_SIGNED, "signed " },
		{ ATTRIBUTE_UNSIGNED, "unsigned " },
		{ ATTRIBUTE_SHORT, "short " },
		{ ATTRIBUTE_LONG, "long " },
		{ ATTRIBUTE_LONG_LONG, "long long " },
	};
	enum token_kind base = reading->base == TOKEN_END ? TOKEN_INT
							  : reading->base;

	for (size_t i = 0; i < sizeof(base_types) / sizeof(*base_types); i++)
		if (base_types[i].base == base &&
		    base_types[i].attributes == reading->attributes)
			return types_base(parser->language->types,
					  base_types[i].type);
	struct text text = { 0 };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (reading->attributes & words[i].attribute)
			text_puts(&text, words[i].word);
	text_puts(&text, reading->base == TOKEN_FLOAT	 ? "float"
			 : reading->base == TOKEN_DOUBLE ? "double"
							 : "");
	parse_error(parser, place, D_UNKNOWN,
		    "failed to resolve type %s: Unknown type name",
		    text_str(&text));
	text_free(&text);
	return NULL;
}

static bool add_storage(struct parser *parser, struct reading *reading,
			struct specifiers *specifiers, enum storage storage)
{
	if (reading->has_storage)
		return parse_error(
			parser, &token_peek(parser)->place, D_DECL_CLASS,
			"only one storage class allowed in a declaration");
	reading->has_storage = true;
	specifiers->storage = storage;
	token_skip(parser);
	return true;
}

static bool has_base(const struct reading *reading)
{
	return reading->type || reading->base != TOKEN_END;
}

/* A base word or a struct: at most one of them. */
static bool add_base(struct parser *parser, struct reading *reading,
		     struct specifiers *specifiers)
{
	enum token_kind kind = token_peek(parser)->kind;

	if (has_base(reading))
		return combination_error(parser);
	if (kind == TOKEN_STRUCT || kind == TOKEN_UNION || kind == TOKEN_ENUM) {
		reading->type = parse_tagged(parser, specifiers);
		return reading->type;
	}
	if (kind == TOKEN_STRING_TYPE)
		reading->type = types_base(parser->language->types,
					   BASE_STRING);
	else
		reading->base = kind;
	token_skip(parser);
	return true;
}

static bool add_type_name(struct parser *parser, struct reading *reading)
{
	const struct token *token = token_peek(parser);

	reading->type = types_lookup(parser->language->types, token->scope,
				     TAG_NONE, token->text);
	if (!reading->type)
		return parse_error(
			parser, &token->place, D_UNKNOWN,
			"failed to resolve type %s: Unknown type name",
			token_print(parser->language->arena, token));
	token_skip(parser);
	return true;
}

/* -h and -G: a type that the C compiler knows; here it has no size. */
static bool add_foreign_type(struct parser *parser, struct reading *reading)
{
	struct types *types = parser->language->types;
	const char *name = token_word(parser, token_peek(parser));

	types_define_typedef(types, name,
			     types_declare_tag(types, TAG_STRUCT, name));
	return add_type_name(parser, reading);
}

enum step { STEP_TAKEN, STEP_END, STEP_ERROR };

static enum step take(bool is_fine)
{
	return is_fine ? STEP_TAKEN : STEP_ERROR;
}

/* One specifier, if the current token is one. */
static enum step read_specifier(struct parser *parser, struct reading *reading,
				struct specifiers *specifiers)
{
	enum token_kind kind = token_peek(parser)->kind;
	bool is_building = parser->language->is_building;

	/* a member or parameter called self, this or string */
	if (speaks_c(parser) && has_base(reading) &&
	    (storages[kind] >= STORAGE_SELF || kind == TOKEN_STRING_TYPE))
		return STEP_END;
	if (storages[kind] != STORAGE_NONE)
		return take(add_storage(parser, reading, specifiers,
					storages[kind]));
	if (attribute_words[kind]) {
		if (!add_attribute(parser, reading, attribute_words[kind]))
			return STEP_ERROR;
		token_skip(parser);
		return STEP_TAKEN;
	}
	if (qualifier_words[kind] || kind == TOKEN_USERLAND) {
		if (kind == TOKEN_USERLAND)
			specifiers->is_user = true;
		else
			reading->qualifiers |= 1u << qualifier_words[kind];
		token_skip(parser);
		return STEP_TAKEN;
	}
	if (kind == TOKEN_C_INLINE ||
	    (kind == TOKEN_INLINE && reading->has_storage)) {
		specifiers->is_c_inline = true;
		token_skip(parser);
		return STEP_TAKEN;
	}
	if (kind == TOKEN_COMPLEX) {
		reading->is_complex = true;
		token_skip(parser);
		return STEP_TAKEN;
	}
	if (keyword_flags(kind) & KEYWORD_TYPE)
		return take(add_base(parser, reading, specifiers));
	/* Once there is a type, a name is what is being declared. */
	if (kind == TOKEN_NAME && !has_base(reading) && !reading->attributes &&
	    names_type(parser, token_peek(parser)))
		return take(add_type_name(parser, reading));
	if (is_building && kind == TOKEN_NAME && !token_peek(parser)->scope &&
	    !has_base(reading) && !reading->attributes)
		return take(add_foreign_type(parser, reading));
	return STEP_END;
}

/*
 * `self x;` declares an int, as do `this x;` and `extern x;`.  A name followed
 * by another one was meant to be a type.
 */
static bool is_int_by_default(struct parser *parser, enum storage storage)
{
	if (storage != STORAGE_SELF && storage != STORAGE_THIS &&
	    storage != STORAGE_EXTERN)
		return false;

	struct parser ahead = *parser;

	ahead.lexer.is_quiet = true;
	if (token_is(&ahead, TOKEN_STAR))
		return true;
	if (!token_accept(&ahead, TOKEN_NAME))
		return false;
	return token_is(&ahead, TOKEN_SEMICOLON) ||
	       token_is(&ahead, TOKEN_COMMA) ||
	       token_is(&ahead, TOKEN_LEFT_BRACKET);
}

/* What may follow the name in a declaration without a type: extern x; */
static bool ends_name(const struct parser *parser)
{
	struct lexer ahead = parser->lexer;

	ahead.is_quiet = true;
	return lexer_skip(&ahead) &&
	       strchr(";,=[(", lexer_peek(&ahead, 0)) != NULL;
}

static bool no_type(struct parser *parser, const struct place *start)
{
	const struct token *token = token_peek(parser);

	if (token->kind != TOKEN_NAME)
		return token_refuse(parser);
	if (start->offset != token->place.offset && ends_name(parser))
		return parse_error(
			parser, &token->place, D_DECL_IDENT,
			"old-style declaration or incorrect type specified");
	const char *name = token_print(parser->language->arena, token);
	const char *near = types_nearest(parser->language->types,
					 token_word(parser, token));

	token_refuse(parser);
	if (parser->lexer.is_quiet ||
	    hint_counterpart(parser->language, token->text))
		return false;
	if (near)
		diag_hint(&parser->language->diag,
			  "unknown type %s: did you mean \"%s\"?", name, near);
	else
		diag_hint(&parser->language->diag, "unknown type %s", name);
	return false;
}

bool parse_specifiers(struct parser *parser, struct specifiers *specifiers)
{
	struct types *types = parser->language->types;
	struct reading reading = { .base = TOKEN_END };
	enum step step;

	*specifiers = (struct specifiers){ .place = token_peek(parser)->place };
	while ((step = read_specifier(parser, &reading, specifiers)) ==
	       STEP_TAKEN)
		;
	if (step == STEP_ERROR)
		return false;
	if (!has_base(&reading) && !reading.attributes &&
	    !is_int_by_default(parser, specifiers->storage))
		return no_type(parser, &specifiers->place);
	if (!check_attributes(parser, &reading, &specifiers->place))
		return false;
	specifiers->type = reading.type ? reading.type
					: base_of(parser, &reading,
						  &specifiers->place);
	if (!specifiers->type)
		return false;
	if (reading.is_complex)
		specifiers->type = type_array(types, specifiers->type, 2);
	for (unsigned kind = TYPE_CONST; kind <= TYPE_RESTRICT; kind++)
		if (reading.qualifiers & 1u << kind)
			specifiers->type = type_qualified(types,
							  (enum type_kind)kind,
							  specifiers->type);
	return true;
}

/* -------------------------------------------------------- declarations */

static bool declare_typedef(struct parser *parser,
			    const struct declarator *declarator)
{
	struct language *language = parser->language;

	if (declarator->keys)
		return parse_error(parser, &declarator->place, D_DECL_DYNOBJ,
				   "cannot have dynamic typedef: %s",
				   declarator->name);
	if (table_get(&language->globals, str_of(declarator->name)))
		return parse_error(parser, &declarator->place, D_DECL_IDRED,
				   "identifier redeclared: %s",
				   declarator->name);
	if (types_define_typedef(language->types, declarator->name,
				 declarator->type))
		return true;
	return parse_error(parser, &declarator->place, D_DECL_IDRED,
			   "typedef redeclared: %s", declarator->name);
}

bool declarator_check_object(struct parser *parser,
			     const struct specifiers *specifiers,
			     const struct declarator *declarator)
{
	struct types *types = parser->language->types;
	const struct place *place = &declarator->place;
	const char *name = declarator->name;

	if (declarator->keys && specifiers->storage == STORAGE_THIS)
		return parse_error(
			parser, place, D_DECL_LOCASSC,
			"associative arrays may not be declared as local variables: %s",
			name);
	if (declarator->has_empty_dimension &&
	    specifiers->storage != STORAGE_EXTERN)
		return parse_error(
			parser, place, D_DECL_ARRNULL,
			"array declaration requires array dimension or tuple signature: %s",
			name);
	if (type_is_void(types, declarator->type))
		return parse_error(parser, place, D_DECL_VOIDOBJ,
				   "cannot have void object: %s", name);
	if (type_strip(types, declarator->type)->kind == TYPE_FORWARD &&
	    specifiers->storage != STORAGE_EXTERN)
		return parse_error(parser, place, D_DECL_INCOMPLETE,
				   "incomplete struct/union/enum %s: %s",
				   type_name(types, declarator->type), name);
	if (type_size(types, declarator->type) > OBJECT_MOST)
		return parse_error(parser, place, D_DECL_ARRBIG,
				   "%s is too big: a variable has at most 1 GB",
				   name);
	return true;
}

static bool declare_variable(struct parser *parser,
			     const struct specifiers *specifiers,
			     const struct declarator *declarator)
{
	struct language *language = parser->language;

	struct type *bare = type_strip(language->types, declarator->type);

	/* The preprocessor may have brought prototypes from a C header. */
	if (bare->kind == TYPE_FUNCTION && bare->is_variadic &&
	    !declarator->place.file)
		return parse_error(
			parser, &declarator->place, D_DECL_PROTO_VARARGS,
			"function prototype may not use a variable-length argument list");
	if (!declarator_check_object(parser, specifiers, declarator))
		return false;
	struct declaration declaration = {
		.name = declarator->name,
		.type = declarator->type,
		.scope = specifiers->storage == STORAGE_SELF ? SCOPE_SELF :
			 specifiers->storage == STORAGE_THIS ? SCOPE_THIS :
							       SCOPE_GLOBAL,
		/* A function prototype defines no storage either. */
		.is_extern = specifiers->storage == STORAGE_EXTERN ||
			     bare->kind == TYPE_FUNCTION,
		.place = declarator->place,
	};

	if (declarator->keys) {
		declaration.signature = arena_new_of(language->arena,
						     struct signature);
		declaration.signature->types = declarator->keys->types;
		declaration.signature->count = declarator->keys->count;
	}
	if (bare->kind == TYPE_FUNCTION &&
	    !enter_prototype(language, declaration.name, bare,
			     &declaration.place))
		return false;
	return enter_variable(language, &declaration);
}

static bool declare(struct parser *parser, const struct specifiers *specifiers,
		    const struct declarator *declarator)
{
	if (declarator->scope)
		return parse_error(
			parser, &declarator->place, D_DECL_SCOPE,
			"D scoping operator may not be used in a declaration name (%s`%s)",
			declarator->scope, declarator->name);
	if (specifiers->storage == STORAGE_TYPEDEF)
		return declare_typedef(parser, declarator);
	return declare_variable(parser, specifiers, declarator);
}

/* static inline int f(void) { ... }, and without a body. */
static bool parse_c_function(struct parser *parser,
			     const struct specifiers *specifiers)
{
	struct types *types = parser->language->types;
	struct declarator declarator;

	if (!parse_declarator(parser, specifiers, DECLARATOR_NAMED,
			      &declarator))
		return false;
	if (declarator.parameters && !speaks_c(parser) &&
	    token_is(parser, TOKEN_LEFT_BRACE))
		return parse_function_definition(parser, specifiers,
						 &declarator);
	if (type_strip(types, declarator.type)->kind == TYPE_FUNCTION)
		return extension_skip_body(parser);
	if (speaks_c(parser))
		return extension_skip_value(parser);
	return parse_error(parser, &specifiers->place, D_DECL_BADCLASS,
			   "specified storage class not appropriate in D");
}

bool parse_declaration(struct parser *parser)
{
	struct specifiers specifiers;

	/* after a _Static_assert */
	if (token_accept(parser, TOKEN_SEMICOLON))
		return true;
	if (!parse_specifiers(parser, &specifiers))
		return false;
	if (specifiers.is_c_inline || specifiers.storage == STORAGE_STATIC)
		return parse_c_function(parser, &specifiers);
	switch (specifiers.storage) {
	case STORAGE_AUTO:
	case STORAGE_REGISTER:
		return parse_error(
			parser, &specifiers.place, D_DECL_BADCLASS,
			"specified storage class not appropriate in D");
	default:
		break;
	}
	if (token_is(parser, TOKEN_SEMICOLON)) {
		if (!specifiers.declares_tag)
			return parse_error(parser, &specifiers.place,
					   D_DECL_USELESS,
					   "useless declaration");
		token_skip(parser);
		return true;
	}
	do {
		struct declarator declarator;

		if (!parse_declarator(parser, &specifiers, DECLARATOR_NAMED,
				      &declarator))
			return false;
		if (declarator.parameters && token_is(parser, TOKEN_LEFT_BRACE))
			return parse_function_definition(parser, &specifiers,
							 &declarator);
		if (!declare(parser, &specifiers, &declarator))
			return false;
	} while (token_accept(parser, TOKEN_COMMA));
	return token_expect(parser, TOKEN_SEMICOLON);
}
