/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations: variables, enumerators, and which words are types.
 *
 * A name may be declared again with the same type.  A variable may take the
 * name of an enumerator: then the bare name is the variable, and next to a
 * value of that enum it is ambiguous (check_enumerator).
 */
#include "lang/check.h"
#include "lang/inspect.h"

static bool same_signature(struct types *types, const struct signature *a,
			   const struct signature *b)
{
	if (!a || !b)
		return a == b;
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (!type_same(types, a->types[i], b->types[i]))
			return false;
	return true;
}

static bool redeclared(struct language *language,
		       const struct declaration *declaration,
		       const struct ident *previous)
{
	struct types *types = language->types;
	const char *before = previous->kind == IDENT_FUNCTION || !previous->type
				     ? ident_kind_name(previous)
				     : type_name(types, previous->type);

	return diag_error(
		&language->diag, &declaration->place, D_DECL_IDRED,
		"identifier redeclared: %s\n\t current: %s\n\tprevious: %s",
		declaration->name, type_name(types, declaration->type), before);
}

/* A prototype, or an array whose size is given elsewhere, is not a variable. */
static bool defines_nothing(struct types *types, struct type *type)
{
	type = type_strip(types, type);
	return type->kind == TYPE_FUNCTION ||
	       (type->kind == TYPE_ARRAY && !type->count);
}

bool enter_variable(struct language *language,
		    const struct declaration *declaration)
{
	struct types *types = language->types;
	enum ident_kind kind = declaration->signature ? IDENT_ARRAY
						      : IDENT_VARIABLE;
	struct ident *ident = ident_known(language, declaration->scope,
					  declaration->name);

	if (declaration->is_extern && defines_nothing(types, declaration->type))
		return true;
	if (ident &&
	    (ident->kind == IDENT_ENUMERATOR || ident_gives_way(ident)))
		ident = NULL;
	if (ident &&
	    (ident->kind != kind ||
	     (ident->type &&
	      !type_same(types, ident->type, declaration->type)) ||
	     (ident->signature && !same_signature(types, ident->signature,
						  declaration->signature))))
		return redeclared(language, declaration, ident);
	if (!ident)
		ident = ident_new(language, kind, declaration->scope,
				  declaration->name, &declaration->place);
	if (!ident)
		return false;
	sight_ident(language, &declaration->place, ident);
	ident->type = type_unqualified(declaration->type);
	ident->signature = declaration->signature;
	ident->is_declared = true;
	if (declaration->scope == SCOPE_GLOBAL)
		pragma_attributes(language, NULL, declaration->name,
				  &ident->attr);
	return true;
}

bool enter_enumerator(struct language *language, const char *name,
		      int64_t value, struct type *type,
		      const struct place *place)
{
	struct ident *ident = ident_known(language, SCOPE_GLOBAL, name);

	(void)type;
	if (ident && language->in_library)
		return true; /* the user's name wins */
	if (ident && ident_gives_way(ident))
		ident = NULL;
	if (ident)
		return diag_error(
			&language->diag, place, D_DECL_IDRED,
			"identifier redeclared: %s\n\t current: enumerator\n\tprevious: %s",
			name, ident_kind_name(ident));
	ident = ident_new(language, IDENT_ENUMERATOR, SCOPE_GLOBAL, name,
			  place);
	ident->type = types_base(language->types, value == (int32_t)value
							  ? BASE_INT
							  : BASE_LONG);
	ident->value = value;
	ident->is_declared = true;
	return true;
}

bool is_type_name(struct language *language, const char *scope, struct str name)
{
	struct types *types = language->types;
	char *word = arena_strndup(language->arena, name.p, name.n);

	if (scope)
		return types_lookup(types, scope, TAG_NONE, name) != NULL;
	if (types_lookup(types, "D", TAG_NONE, name))
		return true;
	/* D's own names come before the kernel's types. */
	if (ident_known(language, SCOPE_GLOBAL, word))
		return false;
	if (library_load_name(language, word) &&
	    types_lookup(types, "D", TAG_NONE, name))
		return true;
	if (language->diag.failed || ident_known(language, SCOPE_GLOBAL, word))
		return false;
	return types_lookup(types, NULL, TAG_NONE, name) != NULL;
}
