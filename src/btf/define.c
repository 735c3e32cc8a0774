/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making types: derived ones (pointers, arrays, functions) and D's own
 * definitions (tags and typedefs).
 *
 * A tag begins as TYPE_FORWARD and becomes a struct, union or enum in place
 * when it is finished, so that pointers made to it meanwhile see the
 * definition.  Until then its members can be added but not used: a struct
 * that contains itself is seen as incomplete.
 */
#include "btf/internal.h"

#include <string.h>

struct type *type_pointer(struct types *types, struct type *target)
{
	if (target->pointer_to)
		return target->pointer_to;
	struct type *type = type_new(types, TYPE_POINTER, NULL);

	type->target = target;
	type->size = sizeof(uint64_t);
	type->bits = 64;
	type->is_complete = true;
	target->pointer_to = type;
	return type;
}

struct type *type_user_pointer(struct types *types, struct type *target)
{
	struct type *type = type_new(types, TYPE_POINTER, NULL);

	*type = *type_pointer(types, target);
	type->pointer_to = NULL;
	type->is_user = true;
	return type;
}

struct type *type_to_user(struct types *types, struct type *type)
{
	struct type *bare = type_strip(types, type);

	return bare->kind == TYPE_POINTER && !bare->is_user
		       ? type_user_pointer(types, bare->target)
		       : type;
}

struct type *type_array(struct types *types, struct type *element,
			uint64_t count)
{
	struct type *type = type_new(types, TYPE_ARRAY, NULL);

	type->target = element;
	type->count = count;
	type->is_complete = true;
	type->size = type_size(types, type);
	return type;
}

struct type *type_qualified(struct types *types, enum type_kind qualifier,
			    struct type *target)
{
	for (struct type *at = target;
	     at->kind == TYPE_CONST || at->kind == TYPE_VOLATILE ||
	     at->kind == TYPE_RESTRICT;
	     at = at->target)
		if (at->kind == qualifier)
			return target;
	struct type *type = type_new(types, qualifier, NULL);

	type->target = target;
	type->size = target->size;
	return type;
}

struct type *type_function(struct types *types, struct type *result,
			   struct type **params, const char **names,
			   uint32_t nparams, bool is_variadic)
{
	struct type *type = type_new(types, TYPE_FUNCTION, NULL);

	type->target = result;
	type->is_variadic = is_variadic;
	type->nparams = nparams;
	type->params = arena_array_of(types->arena, struct type *, nparams);
	type->param_names = arena_array_of(types->arena, const char *, nparams);
	for (uint32_t i = 0; i < nparams; i++) {
		type->params[i] = params[i];
		type->param_names[i] = names ? names[i] : NULL;
	}
	type->is_complete = true;
	return type;
}

struct type *type_bitfield(struct types *types, struct type *base,
			   uint32_t bits)
{
	struct type *stored = type_strip(types, base);
	struct type *type = type_new(types, TYPE_INTEGER, base->name);

	if (!type->name)
		type->name = stored->name ? stored->name : "int";
	type->size = type_size(types, stored);
	type->bits = bits;
	type->is_signed = stored->is_signed;
	type->is_bool = stored->is_bool;
	type->is_complete = true;
	return type;
}

/* ------------------------------------------------------- D's definitions */

struct type *types_declare_tag(struct types *types, enum tag_kind tag,
			       const char *name)
{
	struct table *table =
		&types->own[types->in_library].tags[tag - TAG_STRUCT];
	struct type *type = name ? table_get(table, str_of(name)) : NULL;

	if (type)
		return type->kind == TYPE_FORWARD ? type : NULL;
	type = type_new(types, TYPE_FORWARD,
			name ? arena_strdup(types->arena, name) : NULL);
	type->is_union_tag = tag == TAG_UNION;
	type->is_enum_tag = tag == TAG_ENUM;
	if (name)
		table_put(table, str_of(type->name), type);
	return type;
}

/*
 * Names of members and enumerators, those of anonymous members included, are
 * kept in one table for all types, prefixed with the bytes of the type's
 * address.
 */
static bool add_name(struct types *types, struct type *type, const char *name)
{
	size_t length = strlen(name), size = sizeof(type) + length;
	char *bytes = arena_alloc(types->arena, size);
	struct str key = { bytes, size };

	memcpy(bytes, &type, sizeof(type));
	memcpy(bytes + sizeof(type), name, length);
	if (table_get(&types->member_names, key))
		return false;
	table_put(&types->member_names, key, type);
	return true;
}

static bool add_names(struct types *types, struct type *sou,
		      struct type *anonymous, unsigned depth)
{
	struct type *inner = type_strip(types, anonymous);

	if (depth > DEEPEST || !type_is_sou(types, inner) ||
	    !type_complete(types, inner))
		return true;
	for (uint32_t i = 0; i < inner->nmembers; i++) {
		const struct member *member = &inner->members[i];

		if (member->name
			    ? !add_name(types, sou, member->name)
			    : !add_names(types, sou, member->type, depth + 1))
			return false;
	}
	return true;
}

bool type_add_member(struct types *types, struct type *sou, const char *name,
		     struct type *type, uint32_t bit_width)
{
	if (name ? !add_name(types, sou, name)
		 : !add_names(types, sou, type, 0))
		return false;
	sou->members = arena_grown(types->arena, sou->members, sou->nmembers,
				   sizeof(*sou->members));
	sou->members[sou->nmembers++] = (struct member){
		.name = name ? arena_strdup(types->arena, name) : NULL,
		.type = type,
		.bit_width = bit_width,
	};
	return true;
}

bool type_add_enumerator(struct types *types, struct type *type,
			 const char *name, int64_t value)
{
	if (!add_name(types, type, name))
		return false;
	type->enumerators = arena_grown(types->arena, type->enumerators,
					type->nenumerators,
					sizeof(*type->enumerators));
	type->enumerators[type->nenumerators++] =
		(struct enumerator){ arena_strdup(types->arena, name), value };
	return true;
}

bool types_define_typedef(struct types *types, const char *name,
			  struct type *target)
{
	struct table *typedefs = &types->own[types->in_library].typedefs;
	struct type *known = table_get(typedefs, str_of(name));

	if (!known)
		known = predefined_type(types, str_of(name));
	if (known && type_same(types, known, target))
		return true;
	if (known && !predefined_is_open(known))
		return false;
	struct type *type = type_new(types, TYPE_TYPEDEF,
				     arena_strdup(types->arena, name));

	type->target = target;
	type->size = target->size;
	table_put(typedefs, str_of(type->name), type);
	return true;
}
