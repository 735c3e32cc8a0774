/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions about types: what is it below its names, which members does it
 * have, can it be used as an integer.
 *
 * Most of these are asked for every node of every program, so they look
 * through names without resolving forwards where the answer cannot depend on
 * the definition: resolving may open the kernel's BTF.
 */
#include "btf/dwarf_internal.h"

#include <string.h>

struct type *type_skip(struct type *type)
{
	while (type->kind == TYPE_TYPEDEF || type->kind == TYPE_CONST ||
	       type->kind == TYPE_VOLATILE || type->kind == TYPE_RESTRICT)
		type = type->target;
	return type;
}

struct type *type_strip(struct types *types, struct type *type)
{
	type = type_skip(type);
	if (type->kind != TYPE_FORWARD || !type->name)
		return type;
	struct type *resolved = type->dwarf ? dwarf_resolve(types, type)
					    : kernel_resolve(types, type);

	return resolved ? resolved : type;
}

bool type_complete(struct types *types, struct type *type)
{
	type = type_strip(types, type);
	if (type->is_complete)
		return true;
	if (type->dwarf)
		return dwarf_complete(types, type);
	return type->btf ? kernel_complete(types, type) : false;
}

/* -------------------------------------------------------------- members */

/*
 * Members are often asked for in their order: a translator has as many as its
 * struct.  D's own structs have no two of one name, so it does not matter
 * where the search begins.
 */
static bool named_member(struct type *sou, const char *name,
			 struct member *found)
{
	bool is_own = !sou->btf && !sou->dwarf;
	uint32_t first = is_own && sou->next_member < sou->nmembers
				 ? sou->next_member
				 : 0;

	for (uint32_t n = 0; n < sou->nmembers; n++) {
		uint32_t i = (first + n) % sou->nmembers;

		if (sou->members[i].name &&
		    !strcmp(sou->members[i].name, name)) {
			*found = sou->members[i];
			sou->next_member = i + 1;
			return true;
		}
	}
	return false;
}

/* Named members hide those inside unnamed ones (base classes). */
bool type_member_deep(struct types *types, struct type *sou, const char *name,
		      unsigned *budget, struct member *found)
{
	sou = type_strip(types, sou);
	if ((sou->kind != TYPE_STRUCT && sou->kind != TYPE_UNION) || !*budget)
		return false;
	--*budget;
	if (sou->btf && !sou->is_complete)
		return kernel_member(types, sou, name, budget, found);
	if (!type_complete(types, sou))
		return false;
	if (named_member(sou, name, found))
		return true;
	for (uint32_t i = 0; i < sou->nmembers; i++) {
		const struct member *member = &sou->members[i];

		if (!member->name && type_member_deep(types, member->type, name,
						      budget, found)) {
			found->bit_offset += member->bit_offset;
			return true;
		}
	}
	return false;
}

bool type_member(struct types *types, struct type *sou, const char *name,
		 struct member *found)
{
	unsigned budget = MOST_OPENED;

	return type_member_deep(types, sou, name, &budget, found);
}

bool types_kernel_member(struct types *types, const char *tag, const char *name,
			 struct member *found)
{
	struct type *sou = types ? types_lookup(types, "vmlinux", TAG_STRUCT,
						str_of(tag))
				 : NULL;

	return sou && type_member(types, sou, name, found);
}

const struct enumerator *type_enumerator(struct types *types, struct type *type,
					 const char *name)
{
	type = type_strip(types, type);
	if (type->kind != TYPE_ENUM || !type_complete(types, type))
		return NULL;
	for (uint32_t i = 0; i < type->nenumerators; i++)
		if (!strcmp(type->enumerators[i].name, name))
			return &type->enumerators[i];
	return NULL;
}

/* -------------------------------------------------------------- classes */

bool type_is_integer(struct types *types, struct type *type)
{
	(void)types;
	type = type_skip(type);
	return type->kind == TYPE_INTEGER || type->kind == TYPE_ENUM ||
	       (type->kind == TYPE_FORWARD && type->is_enum_tag);
}

bool type_is_signed(struct types *types, struct type *type)
{
	type = type_strip(types, type);
	return type->is_signed;
}

bool type_is_float(struct types *types, struct type *type)
{
	(void)types;
	return type_skip(type)->kind == TYPE_FLOAT;
}

bool type_is_pointer(struct types *types, struct type *type)
{
	(void)types;
	type = type_skip(type);
	return type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;
}

bool type_is_scalar(struct types *types, struct type *type)
{
	return type_is_integer(types, type) ||
	       type_skip(type)->kind == TYPE_POINTER;
}

bool type_is_string(struct types *types, struct type *type)
{
	(void)types;
	return type_skip(type)->kind == TYPE_STRING;
}

static bool is_char(struct type *type)
{
	type = type_skip(type);
	return type->kind == TYPE_INTEGER && type->is_char;
}

bool type_is_char_array(struct types *types, struct type *type)
{
	(void)types;
	type = type_skip(type);
	return type->kind == TYPE_ARRAY && is_char(type->target);
}

bool type_is_stringlike(struct types *types, struct type *type)
{
	(void)types;
	type = type_skip(type);
	return type->kind == TYPE_STRING ||
	       ((type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY) &&
		is_char(type->target));
}

bool type_is_sou(struct types *types, struct type *type)
{
	(void)types;
	type = type_skip(type);
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION ||
	       (type->kind == TYPE_FORWARD && !type->is_enum_tag);
}

bool type_is_void(struct types *types, struct type *type)
{
	(void)types;
	return type_skip(type)->kind == TYPE_VOID;
}

bool type_is_dynamic(struct types *types, struct type *type)
{
	(void)types;
	return type_skip(type)->kind == TYPE_DYNAMIC;
}

/* ------------------------------------------------------------- sameness */

/* The same struct as two units of a program saw it. */
static bool same_members(struct types *types, struct type *a, struct type *b)
{
	if (!a->dwarf || !b->dwarf || a->size != b->size ||
	    !type_complete(types, a) || !type_complete(types, b) ||
	    a->nmembers != b->nmembers || a->nenumerators != b->nenumerators)
		return false;
	for (uint32_t i = 0; i < a->nmembers; i++) {
		const struct member *x = &a->members[i], *y = &b->members[i];

		if (x->bit_offset != y->bit_offset ||
		    x->bit_width != y->bit_width || !x->name != !y->name ||
		    (x->name && strcmp(x->name, y->name)))
			return false;
	}
	return true;
}

static bool same_tagged(struct types *types, struct type *a, struct type *b)
{
	if (type_tag_kind(a) != type_tag_kind(b))
		return false;
	if (!a->name && !b->name && same_members(types, a, b))
		return true;
	if (!a->name || !b->name)
		return a->btf && a->btf == b->btf && a->btf_id == b->btf_id;
	if (strcmp(a->name, b->name))
		return false;
	/* A forward may be any definition of its tag. */
	if (a->kind == TYPE_FORWARD || b->kind == TYPE_FORWARD)
		return true;
	return type_size(types, a) == type_size(types, b);
}

static bool same(struct types *types, struct type *a, struct type *b,
		 unsigned depth)
{
	a = type_skip(a);
	b = type_skip(b);
	if (a == b)
		return true;
	if (depth > DEEPEST)
		return false;
	if (type_tag_kind(a) != TAG_NONE)
		return same_tagged(types, a, b);
	if (a->kind != b->kind)
		return false;

	switch (a->kind) {
	case TYPE_INTEGER:
	case TYPE_FLOAT:
		return a->size == b->size && a->bits == b->bits &&
		       a->is_signed == b->is_signed && a->is_bool == b->is_bool;
	case TYPE_POINTER:
		return same(types, a->target, b->target, depth + 1);
	case TYPE_ARRAY:
		return a->count == b->count &&
		       same(types, a->target, b->target, depth + 1);
	default:
		/* D knows one type of function, and one of each of its own. */
		return true;
	}
}

bool type_same(struct types *types, struct type *a, struct type *b)
{
	return same(types, a, b, 0);
}

bool type_pointers_compatible(struct types *types, struct type *a,
			      struct type *b)
{
	if (!type_is_pointer(types, a) || !type_is_pointer(types, b))
		return false;
	a = type_skip(a)->target;
	b = type_skip(b)->target;
	return type_is_void(types, a) || type_is_void(types, b) ||
	       type_same(types, a, b);
}
