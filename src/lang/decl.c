/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations: specifiers, struct, union and enum.
 *
 * `unsigned long *x[4]` is read in two halves.  The specifiers (here) give a
 * type and a storage class; the declarator (declarator.c) wraps pointers,
 * arrays and functions around it.
 *
 * A type is made as soon as it is read: struct and union start as forward
 * declarations and are filled in place, so that they may point to themselves.
 * The checks are C's; their words are classic D's.
 */
#include <limits.h>

#include "lang/check.h"
#include "lang/parser.h"

enum attribute {
	ATTRIBUTE_SIGNED = 1 << 0,
	ATTRIBUTE_UNSIGNED = 1 << 1,
	ATTRIBUTE_SHORT = 1 << 2,
	ATTRIBUTE_LONG = 1 << 3,
	ATTRIBUTE_LONG_LONG = 1 << 4,
};

/* No real struct or enum is this big, and looking for duplicates is slow. */
enum { MAX_MEMBERS = 16384 };

/* What has been seen of the specifiers so far. */
struct reading {
	unsigned attributes;
	enum token_kind base;	/* char, int, void ...; TOKEN_END: none yet */
	struct type *type;	/* typedef name, struct, union, enum, string */
	unsigned qualifiers;	/* 1 << enum type_kind */
	bool has_storage;
	bool is_complex;	/* of C's: two of the base type */
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

/* Parameters of an inline or a translator go before types. */
static bool names_type(struct parser *parser, const struct token *token)
{
	if (token->kind != TOKEN_NAME)
		return false;
	if (!token->scope && is_param(parser, token->text))
		return false;
	return is_type_name(parser->language, token->scope, token->text);
}

bool type_starts(struct parser *parser)
{
	const struct token *token = token_peek(parser);

	return keyword_flags(token->kind) & KEYWORD_TYPE ||
	       names_type(parser, token);
}

/* ------------------------------------------------------ struct members */

static const char *or_anonymous(const char *name)
{
	return name ? name : "(anonymous)";
}

static bool member_check(struct parser *parser,
			 const struct declarator *member)
{
	struct types *types = parser->language->types;
	const char *name = or_anonymous(member->name);
	struct type *type = member->type;

	if (member->scope)
		return parse_error(parser, &member->place, D_DECL_SCOPE,
				   "D scoping operator may not be used in a member name (%s`%s)",
				   member->scope, name);
	if (member->keys || type_is_dynamic(types, type))
		return parse_error(parser, &member->place, D_DECL_DYNOBJ,
				   "cannot have dynamic member: %s", name);
	if (type_is_void(types, type))
		return parse_error(parser, &member->place, D_DECL_VOIDOBJ,
				   "cannot have void member: %s", name);
	struct type *bare = type_strip(types, type);

	if (bare->kind == TYPE_FUNCTION) {
		parse_error(parser, &member->place, D_DECL_DYNOBJ,
			    "cannot have function member: %s", name);
		diag_hint(&parser->language->diag,
			  "a pointer to a function is written (*%s)(...)",
			  name);
		return false;
	}
	if (bare->kind == TYPE_FORWARD)
		return parse_error(parser, &member->place, D_DECL_INCOMPLETE,
				   "incomplete struct/union/enum %s: %s",
				   type_name(types, type), name);
	return true;
}

static bool parse_bit_width(struct parser *parser, struct declarator *member,
			    uint32_t *width)
{
	struct types *types = parser->language->types;
	struct place place;
	int64_t value;

	if (!parse_constant(parser, &value, &place) || value < !!member->name)
		return parse_error(parser, &place, D_DECL_BFCONST,
				   "positive integral constant expression expected as bit-field size");
	if (!type_is_integer(types, member->type))
		return parse_error(parser, &member->place, D_DECL_BFTYPE,
				   "invalid type for bit-field: %s",
				   or_anonymous(member->name));
	if ((uint64_t)value > type_size(types, member->type) * CHAR_BIT)
		return parse_error(parser, &place, D_DECL_BFSIZE,
				   "bit-field too big for type: %s",
				   or_anonymous(member->name));
	*width = (uint32_t)value;
	return true;
}

static bool too_many(struct parser *parser, const struct place *place)
{
	return parse_error(parser, place, D_SYNTAX,
			   "declaration is too long: more than %d members",
			   MAX_MEMBERS);
}

static bool add_member(struct parser *parser, struct type *sou,
		       const struct declarator *member, uint32_t width)
{
	if (sou->nmembers >= MAX_MEMBERS)
		return too_many(parser, &member->place);
	if (type_add_member(parser->language->types, sou, member->name,
			    member->type, width)) {
		token_peek(parser);	/* attributes come last */
		extension_apply(parser->language->types,
				&parser->lexer.packing, sou);
		return true;
	}
	return parse_error(parser, &member->place, D_UNKNOWN,
			   "failed to define member '%s': Duplicate member or variable name",
			   or_anonymous(member->name));
}

/* One line of a struct: specifiers, declarators, semicolon. */
static bool parse_member_line(struct parser *parser, struct type *sou)
{
	struct types *types = parser->language->types;
	struct specifiers specifiers;

	token_peek(parser);
	parser->lexer.packing = (struct packing){ 0 };
	if (token_accept(parser, TOKEN_SEMICOLON))
		return true;	/* behind a _Static_assert */
	if (!parse_specifiers(parser, &specifiers))
		return false;
	if (specifiers.storage != STORAGE_NONE)
		return parse_error(parser, &specifiers.place, D_DECL_BADCLASS,
				   "specified storage class not appropriate in D");
	if (token_accept(parser, TOKEN_SEMICOLON)) {
		struct declarator anonymous = {
			.type = specifiers.type, .place = specifiers.place,
		};

		if (!type_is_sou(types, specifiers.type))
			return parse_error(parser, &specifiers.place,
					   D_DECL_MNAME,
					   "member declaration requires a name");
		return member_check(parser, &anonymous) &&
		       add_member(parser, sou, &anonymous, 0);
	}
	do {
		struct declarator member = {
			.place = token_peek(parser)->place,
			.type = specifiers.type,
		};
		uint32_t width = 0;

		if (!token_is(parser, TOKEN_COLON) &&
		    !parse_declarator(parser, &specifiers, DECLARATOR_ANY,
				      &member))
			return false;
		if (!member.name && !token_is(parser, TOKEN_COLON))
			return parse_error(parser, &member.place, D_DECL_MNAME,
					   "member declaration requires a name");
		if (!member_check(parser, &member))
			return false;
		if (token_accept(parser, TOKEN_COLON) &&
		    !parse_bit_width(parser, &member, &width))
			return false;
		if (!add_member(parser, sou, &member, width))
			return false;
	} while (token_accept(parser, TOKEN_COMMA));
	return token_expect(parser, TOKEN_SEMICOLON);
}

/* ---------------------------------------------------------------- enum */

static bool parse_enumerator(struct parser *parser, struct type *type,
			     int64_t *value)
{
	struct language *language = parser->language;
	const struct token *token = token_peek(parser);
	struct place place = token->place;

	if (token->kind == TOKEN_NAME && token->scope)
		return parse_error(parser, &place, D_DECL_SCOPE,
				   "D scoping operator may not be used in enumerator name (%s)",
				   token_print(language->arena, token));
	const char *name = token_expect_name(parser, &place);

	if (!name)
		return false;
	if (token_accept(parser, TOKEN_ASSIGN)) {
		struct place where;

		if (!parse_constant(parser, value, &where))
			return parse_error(parser, &where, D_DECL_ENCONST,
					   "enumerator '%s' must be assigned to an integral constant expression",
					   name);
		/* C headers have them: an unsigned int by its bits */
		if (place.file && *value > INT_MAX && *value <= UINT_MAX)
			*value = (int32_t)*value;
	}
	if ((*value > INT_MAX || *value < INT_MIN) && !speaks_c(parser)) {
		parse_error(parser, &place, D_DECL_ENOFLOW,
			    "enumerator '%s' value overflows INT_MAX (%d)",
			    name, INT_MAX);
		diag_hint(&language->diag,
			  "an inline may have any value: inline int64_t %s = ...;",
			  name);
		return false;
	}
	if (type->nenumerators >= MAX_MEMBERS)
		return too_many(parser, &place);
	if (!type_add_enumerator(language->types, type, name, *value))
		return parse_error(parser, &place, D_DECL_IDRED,
				   "identifier redeclared: %s\n\t current: enumerator\n\tprevious: enumerator",
				   name);
	if (!enter_enumerator(language, name, *value, type, &place))
		return false;
	++*value;
	return true;
}

static bool parse_enumerators(struct parser *parser, struct type *type)
{
	int64_t value = 0;

	do {
		if (token_is(parser, TOKEN_RIGHT_BRACE))
			break;
		if (!parse_enumerator(parser, type, &value))
			return false;
	} while (token_accept(parser, TOKEN_COMMA));
	if (!token_expect(parser, TOKEN_RIGHT_BRACE))
		return false;
	type_finish_enum(parser->language->types, type);
	return true;
}

/* -------------------------------------------------- struct, union, enum */

static const struct {
	enum tag_kind tag;
	const char *word;
} tag_words[TOKEN_KINDS] = {
	[TOKEN_STRUCT] = { TAG_STRUCT, "struct" },
	[TOKEN_UNION] = { TAG_UNION, "union" },
	[TOKEN_ENUM] = { TAG_ENUM, "enum" },
};

static bool parse_members(struct parser *parser, struct type *sou)
{
	if (token_is(parser, TOKEN_RIGHT_BRACE) && !speaks_c(parser))
		return token_refuse(parser);
	struct packing packing = parser->lexer.packing;

	while (!token_is(parser, TOKEN_RIGHT_BRACE))
		if (!parse_member_line(parser, sou))
			return false;
	token_skip(parser);
	parser->lexer.packing = packing;
	token_peek(parser);	/* attributes may follow, too */
	sou->is_packed = parser->lexer.packing.is_packed;
	sou->align = parser->lexer.packing.align;
	sou->most_align = parser->lexer.pack.most;
	parser->lexer.packing = (struct packing){ 0 };
	type_finish_sou(parser->language->types, sou);
	return true;
}

static struct type *define_tag(struct parser *parser, enum token_kind word,
			       const char *name, const struct place *place)
{
	struct type *type = types_declare_tag(parser->language->types,
					      tag_words[word].tag, name);

	if (!type) {
		parse_error(parser, place, D_DECL_TYPERED,
			    "type redeclared: %s %s", tag_words[word].word,
			    name);
		return NULL;
	}
	token_skip(parser);
	if (!nesting_enter(parser))
		return NULL;
	bool is_fine = word == TOKEN_ENUM ? parse_enumerators(parser, type)
					  : parse_members(parser, type);

	nesting_leave(parser);
	return is_fine ? type : NULL;
}

/* A tag that is only mentioned: known, or declared hereby. */
static struct type *mention_tag(struct parser *parser, enum token_kind word,
				const struct token *token)
{
	struct types *types = parser->language->types;

	/* It may be in a library that nothing else has asked for. */
	if (!token->scope &&
	    !types_lookup(types, "D", tag_words[word].tag, token->text))
		library_load_name(parser->language, token_word(parser, token));
	struct type *type = types_lookup(types, token->scope,
					 tag_words[word].tag, token->text);

	if (type)
		return type;
	if (!token->scope)
		return types_declare_tag(types, tag_words[word].tag,
					 token_word(parser, token));
	parse_error(parser, &token->place, D_UNKNOWN,
		    strchr(token->scope, '`')
			? "failed to resolve type %s %s: Improper use of scoping operator in type name"
			: "failed to resolve type %s %s: Unknown type name",
		    tag_words[word].word,
		    token_print(parser->language->arena, token));
	return NULL;
}

/* At the { of { }, which is wrong whatever stands before it? */
static bool opens_nothing(const struct parser *parser)
{
	struct lexer ahead = parser->lexer;

	ahead.is_quiet = true;
	return lexer_skip(&ahead) && lexer_peek(&ahead, 0) == '}';
}

static struct type *parse_tagged(struct parser *parser,
				 struct specifiers *specifiers)
{
	enum token_kind word = token_peek(parser)->kind;
	struct token tag = { .kind = TOKEN_END };

	token_skip(parser);
	specifiers->declares_tag = true;
	if (token_is(parser, TOKEN_NAME) ||
	    keyword_flags(token_peek(parser)->kind) & KEYWORD_SOFT) {
		tag = *token_peek(parser);
		token_skip(parser);
	}
	if (!token_is(parser, TOKEN_LEFT_BRACE)) {
		if (tag.kind != TOKEN_END)
			return mention_tag(parser, word, &tag);
		token_refuse(parser);
		return NULL;
	}
	if (tag.kind == TOKEN_END)
		return define_tag(parser, word, NULL, &specifiers->place);
	if (tag.scope && opens_nothing(parser)) {
		token_skip(parser);
		token_refuse(parser);
		return NULL;
	}
	if (tag.scope) {
		parse_error(parser, &tag.place, D_DECL_SCOPE,
			    "D scoping operator may not be used in a type name (%s)",
			    token_print(parser->language->arena, &tag));
		return NULL;
	}
	return define_tag(parser, word, token_word(parser, &tag), &tag.place);
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
		return parse_error(parser, place, D_DECL_CHARATTR,
				   "invalid type declaration: short and long may not be used with char type");
	if (reading->base == TOKEN_VOID && attributes)
		return parse_error(parser, place, D_DECL_VOIDATTR,
				   "invalid type declaration: attributes may not be used with void type");
	if (!is_integer && attributes & (ATTRIBUTE_SIGNED | ATTRIBUTE_UNSIGNED))
		return parse_error(parser, place, D_DECL_SIGNINT,
				   "invalid type declaration: signed and unsigned may only be used with integer type");
	if (reading->type && attributes & longs)
		return parse_error(parser, place, D_DECL_LONGINT,
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
	text_puts(&text, reading->base == TOKEN_FLOAT ? "float" :
			 reading->base == TOKEN_DOUBLE ? "double" : "");
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
		return parse_error(parser, &token_peek(parser)->place,
				   D_DECL_CLASS,
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
	if (tag_words[kind].word) {
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
		return parse_error(parser, &token->place, D_UNKNOWN,
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

/* One specifier, if the token at hand is one. */
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
 * `self x;` declares an int, as do `this x;` and `extern x;`.  A name that
 * another one follows was meant to be a type.
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
		return parse_error(parser, &token->place, D_DECL_IDENT,
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
			  "unknown type %s: did you mean \"%s\"?", name,
			  near);
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

static bool check_object(struct parser *parser,
			 const struct specifiers *specifiers,
			 const struct declarator *declarator)
{
	struct types *types = parser->language->types;
	const struct place *place = &declarator->place;
	const char *name = declarator->name;

	if (declarator->keys && specifiers->storage == STORAGE_THIS)
		return parse_error(parser, place, D_DECL_LOCASSC,
				   "associative arrays may not be declared as local variables: %s",
				   name);
	if (declarator->has_empty_dimension &&
	    specifiers->storage != STORAGE_EXTERN)
		return parse_error(parser, place, D_DECL_ARRNULL,
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
		return parse_error(parser, &declarator->place,
				   D_DECL_PROTO_VARARGS,
				   "function prototype may not use a variable-length argument list");
	if (!check_object(parser, specifiers, declarator))
		return false;
	struct declaration declaration = {
		.name = declarator->name,
		.type = declarator->type,
		.scope = specifiers->storage == STORAGE_SELF ? SCOPE_SELF :
			 specifiers->storage == STORAGE_THIS ? SCOPE_THIS :
							       SCOPE_GLOBAL,
		/* A function's prototype defines no storage either. */
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
	return enter_variable(language, &declaration);
}

static bool declare(struct parser *parser, const struct specifiers *specifiers,
		    const struct declarator *declarator)
{
	if (declarator->scope)
		return parse_error(parser, &declarator->place, D_DECL_SCOPE,
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

	/* behind a _Static_assert */
	if (token_accept(parser, TOKEN_SEMICOLON))
		return true;
	if (!parse_specifiers(parser, &specifiers))
		return false;
	if (specifiers.is_c_inline || specifiers.storage == STORAGE_STATIC)
		return parse_c_function(parser, &specifiers);
	switch (specifiers.storage) {
	case STORAGE_AUTO:
	case STORAGE_REGISTER:
		return parse_error(parser, &specifiers.place, D_DECL_BADCLASS,
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
				      &declarator) ||
		    !declare(parser, &specifiers, &declarator))
			return false;
	} while (token_accept(parser, TOKEN_COMMA));
	return token_expect(parser, TOKEN_SEMICOLON);
}
