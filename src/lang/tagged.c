/* SPDX-License-Identifier: Apache-2.0 */
/*
 * struct, union and enum: their members, and what a tag means.
 *
 * A type is made as soon as it is read: struct and union start as forward
 * declarations and are filled in place, so that they may point to themselves.
 * The rules are those of C; the messages are those of classic D.
 */
#include <limits.h>

#include "lang/parser.h"

/* No real struct or enum is this large; searching duplicates is slow. */
enum { MAX_MEMBERS = 16384 };

/* ------------------------------------------------------ struct members */

static const char *or_anonymous(const char *name)
{
	return name ? name : "(anonymous)";
}

static bool member_check(struct parser *parser, const struct declarator *member)
{
	struct types *types = parser->language->types;
	const char *name = or_anonymous(member->name);
	struct type *type = member->type;

	if (member->scope)
		return parse_error(
			parser, &member->place, D_DECL_SCOPE,
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
		return parse_error(
			parser, &place, D_DECL_BFCONST,
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
		token_peek(parser); /* attributes come last */
		extension_apply(parser->language->types, &parser->lexer.packing,
				sou);
		return true;
	}
	return parse_error(
		parser, &member->place, D_UNKNOWN,
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
		return true; /* after a _Static_assert */
	if (!parse_specifiers(parser, &specifiers))
		return false;
	if (specifiers.storage != STORAGE_NONE)
		return parse_error(
			parser, &specifiers.place, D_DECL_BADCLASS,
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
		return parse_error(
			parser, &place, D_DECL_SCOPE,
			"D scoping operator may not be used in enumerator name (%s)",
			token_print(language->arena, token));
	const char *name = token_expect_name(parser, &place);

	if (!name)
		return false;
	if (token_accept(parser, TOKEN_ASSIGN)) {
		struct place where;

		if (!parse_constant(parser, value, &where))
			return parse_error(
				parser, &where, D_DECL_ENCONST,
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
		diag_hint(
			&language->diag,
			"an inline may have any value: inline int64_t %s = ...;",
			name);
		return false;
	}
	if (type->nenumerators >= MAX_MEMBERS)
		return too_many(parser, &place);
	if (!type_add_enumerator(language->types, type, name, *value))
		return parse_error(
			parser, &place, D_DECL_IDRED,
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
	token_peek(parser); /* attributes may follow, too */
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

/* A tag that is only mentioned: known, or declared by this. */
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
	parse_error(
		parser, &token->place, D_UNKNOWN,
		strchr(token->scope, '`')
			? "failed to resolve type %s %s: Improper use of scoping operator in type name"
			: "failed to resolve type %s %s: Unknown type name",
		tag_words[word].word,
		token_print(parser->language->arena, token));
	return NULL;
}

/* At the { of { }, which is wrong whatever precedes it? */
static bool opens_nothing(const struct parser *parser)
{
	struct lexer ahead = parser->lexer;

	ahead.is_quiet = true;
	return lexer_skip(&ahead) && lexer_peek(&ahead, 0) == '}';
}

struct type *parse_tagged(struct parser *parser, struct specifiers *specifiers)
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
		parse_error(
			parser, &tag.place, D_DECL_SCOPE,
			"D scoping operator may not be used in a type name (%s)",
			token_print(parser->language->arena, &tag));
		return NULL;
	}
	return define_tag(parser, word, token_word(parser, &tag), &tag.place);
}
