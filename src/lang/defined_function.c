/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of a language: names, prototypes, definitions.
 *
 * A definition is an identifier like others; it cannot take the name of a
 * built-in function.  Prototypes are remembered only to be compared with the
 * definition, because headers of C are full of them (-C).  Functions of D
 * libraries give way to the program's own.
 */
#include "lang/check.h"
#include "lang/inspect.h"

/* All that were seen of one name, newest first. */
struct prototypes {
	struct type *type;
	struct prototypes *next;
};

struct function_definition *function_known(struct language *language,
					   const char *name)
{
	const struct ident *ident = ident_known(language, SCOPE_GLOBAL, name);

	return ident && ident->kind == IDENT_FUNCTION ? ident->definition
						      : NULL;
}

/* ----------------------------------------------------------- prototypes */

static bool same_prototype(struct types *types, const struct type *a,
			   const struct type *b)
{
	if (!type_same(types, a->target, b->target) ||
	    a->nparams != b->nparams || a->is_variadic != b->is_variadic)
		return false;
	for (uint32_t i = 0; i < a->nparams; i++)
		if (!type_same(types, a->params[i], b->params[i]))
			return false;
	return true;
}

/* "int f(int, char *)" */
static const char *signature(struct language *language, const char *name,
			     const struct type *type)
{
	struct text text = { 0 };
	const char *copy;

	text_printf(&text, "%s %s(", type_name(language->types, type->target),
		    name);
	for (uint32_t i = 0; i < type->nparams; i++)
		text_printf(&text, "%s%s", i ? ", " : "",
			    type_name(language->types, type->params[i]));
	text_puts(&text, type->is_variadic ? ", ...)"
			 : type->nparams   ? ")"
					   : "void)");
	copy = arena_strdup(language->arena, text_str(&text));
	text_free(&text);
	return copy;
}

/* `place`: of the one that came last. */
static bool compare(struct language *language, const char *name,
		    struct type *prototype, struct type *definition,
		    const struct place *place)
{
	if (same_prototype(language->types, prototype, definition))
		return true;
	return diag_error(
		&language->diag, place, D_FUNC_PROTO,
		"function %s( ) differs from its prototype:\n\t prototype: %s\n\tdefinition: %s",
		name, signature(language, name, prototype),
		signature(language, name, definition));
}

bool enter_prototype(struct language *language, const char *name,
		     struct type *type, const struct place *place)
{
	const struct function_definition *definition = function_known(language,
								      name);
	struct prototypes *prototype;

	type = type_strip(language->types, type);
	if (definition && !definition->is_from_library)
		return compare(language, name, type, definition->type, place);
	prototype = arena_new_of(language->arena, struct prototypes);
	prototype->type = type;
	prototype->next = table_get(&language->prototypes, str_of(name));
	table_put(&language->prototypes,
		  str_of(arena_strdup(language->arena, name)), prototype);
	return true;
}

bool function_has_prototype(struct language *language, const char *name)
{
	return table_get(&language->prototypes, str_of(name)) != NULL;
}

/* ---------------------------------------------------------- definitions */

static bool redefined(struct language *language,
		      const struct function_definition *definition,
		      const struct ident *previous)
{
	struct diag *diag = &language->diag;
	const struct place *place = &definition->place;

	if (previous->kind != IDENT_FUNCTION)
		return diag_error(
			diag, place, D_DECL_IDRED,
			"identifier redeclared: %s\n\t current: function\n\tprevious: %s",
			definition->name,
			previous->type
				? type_name(language->types, previous->type)
				: ident_kind_name(previous));
	if (!previous->definition)
		return diag_error(
			diag, place, D_FUNC_REDEF,
			"%s( ) is built in and may not be defined again",
			definition->name);
	diag_error(diag, place, D_FUNC_REDEF,
		   "function %s( ) is already defined", definition->name);
	if (previous->place.source->is_file)
		diag_hint(diag, "its first definition is in line %u",
			  previous->place.line);
	return false;
}

/* The parser may have read it early, for a call above it. */
static bool is_same_text(const struct function_definition *a,
			 const struct function_definition *b)
{
	return a && a->place.source == b->place.source &&
	       a->place.offset == b->place.offset;
}

bool enter_function(struct language *language,
		    struct function_definition *definition)
{
	struct ident *previous = ident_known(language, SCOPE_GLOBAL,
					     definition->name);
	struct ident *ident;

	if (previous && is_same_text(previous->definition, definition))
		return true;
	if (types_lookup(language->types, "D", TAG_NONE,
			 str_of(definition->name)))
		return diag_error(
			&language->diag, &definition->place, D_DECL_IDRED,
			"identifier redeclared: %s\n\t current: function\n\tprevious: type",
			definition->name);
	if (previous && !ident_gives_way(previous)) {
		/* A library yields to the user. */
		if (language->in_library && !previous->is_from_library)
			return true;
		return redefined(language, definition, previous);
	}
	for (const struct prototypes *p =
		     language->in_library ? NULL
					  : table_get(&language->prototypes,
						      str_of(definition->name));
	     p; p = p->next)
		if (!compare(language, definition->name, p->type,
			     definition->type, &definition->place))
			return false;
	definition->is_from_library = language->in_library;
	definition->is_from_directory = language->in_directory;
	definition->next = language->functions;
	language->functions = definition;
	ident = ident_new(language, IDENT_FUNCTION, SCOPE_GLOBAL,
			  definition->name, &definition->place);
	ident->definition = definition;
	ident->is_declared = true;
	sight_ident(language, &definition->place, ident);
	pragma_attributes(language, NULL, definition->name, &ident->attr);
	return true;
}
