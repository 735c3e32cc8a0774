/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The container: all types of one compilation, and finding them by name.
 *
 * D's own definitions come first, then the kernel, then its modules; a D
 * forward declaration yields to a kernel definition of the same tag.  Nothing
 * of the kernel is opened before a name asks for it (kernel.c).
 */
#include "btf/dwarf_internal.h"

#include <string.h>

enum { NTAGS = sizeof((struct own_types){ 0 }.tags) / sizeof(struct table) };

struct type *type_new(struct types *types, enum type_kind kind,
		      const char *name)
{
	struct type *type = arena_new_of(types->arena, struct type);

	type->kind = kind;
	type->name = name;
	return type;
}

struct types *types_new(struct arena *arena, uint64_t strsize)
{
	struct types *types = arena_new_of(arena, struct types);

	types->arena = arena;
	types->strsize = strsize;
	base_types_make(types);
	return types;
}

void types_set_strsize(struct types *types, uint64_t strsize)
{
	types->strsize = strsize;
	types->base[BASE_STRING]->size = strsize;
}

void types_free(struct types *types)
{
	if (!types)
		return;
	kernel_free(types);
	dwarf_free_all(types);
	for (int i = 0; i < 2; i++) {
		struct own_types *own = &types->own[i];

		for (size_t tag = 0; tag < NTAGS; tag++)
			table_free(&own->tags[tag]);
		table_free(&own->typedefs);
	}
	table_free(&types->member_names);
}

struct type *types_base(const struct types *types, enum base_type which)
{
	return types->base[which];
}

void types_enter_library(struct types *types, bool in_library)
{
	types->in_library = in_library;
}

/* -------------------------------------------------------------- look-up */

static struct type *lookup_own(struct types *types, enum tag_kind tag,
			       struct str name)
{
	struct type *forward = NULL;

	for (int i = 0; i < 2; i++) {
		const struct own_types *own =
			&types->own[types->in_library ^ i];
		struct type *type =
			table_get(tag == TAG_NONE
					  ? &own->typedefs
					  : &own->tags[tag - TAG_STRUCT],
				  name);

		if (type && type->kind != TYPE_FORWARD)
			return type;
		if (type && !forward)
			forward = type;
	}
	if (forward || tag != TAG_NONE)
		return forward;
	enum base_type base = base_type_named(name);

	if (base != BASE_COUNT)
		return types->base[base];
	return predefined_type(types, name);
}

struct type *types_lookup(struct types *types, const char *scope,
			  enum tag_kind tag, struct str name)
{
	if (!name.n)
		return NULL;
	if (scope && !strcmp(scope, "D"))
		return lookup_own(types, tag, name);
	if (scope)
		return kernel_lookup(types, scope, tag, name);

	struct type *own = lookup_own(types, tag, name);

	if (own && own->kind != TYPE_FORWARD)
		return own;
	struct type *found = kernel_lookup(types, NULL, tag, name);

	return found && (!own || found->kind != TYPE_FORWARD) ? found : own;
}

/* ------------------------------------------------- the nearest known name */

struct nearest {
	const char *name; /* the one asked for */
	const char *best;
	unsigned distance;
};

static void consider(struct nearest *nearest, const char *candidate)
{
	unsigned distance = str_distance(nearest->name, candidate,
					 nearest->distance - 1);

	if (distance < nearest->distance) {
		nearest->distance = distance;
		nearest->best = candidate;
	}
}

static void consider_table(struct nearest *nearest, const struct table *table)
{
	for (uint32_t i = 0; i < table->count; i++) {
		const struct type *type = table->entries[i].value;

		if (type->name)
			consider(nearest, type->name);
	}
}

const char *types_nearest(struct types *types, const char *name)
{
	size_t length = strlen(name);
	struct nearest nearest = { name, NULL, length < 4 ? 2 : 3 };

	for (int i = 0; i < BASE_DYNAMIC; i++)
		consider(&nearest, types->base[i]->name);
	for (size_t i = 0; predefined_name(i); i++)
		consider(&nearest, predefined_name(i));
	for (int i = 0; i < 2; i++) {
		consider_table(&nearest, &types->own[i].typedefs);
		for (size_t tag = 0; tag < NTAGS; tag++)
			consider_table(&nearest, &types->own[i].tags[tag]);
	}
	return nearest.best;
}
