/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layout: where members lie and how large things are, as C compilers
 * for 64-bit Linux decide it, whichever machine it is.
 *
 * 1. A member starts at the next multiple of its alignment.
 * 2. A bit-field continues in the bits that are free, unless it would cross a
 *    boundary of its declared type; then it starts at that boundary.  An
 *    unnamed one of width 0 moves to the boundary.
 * 3. Unnamed bit-fields are padding: they take room, but do not raise the
 *    alignment of the struct and are not members afterwards.
 *
 * 4. In a packed struct members follow each other without gaps; most_align
 *    is #pragma pack.  `align` is set before the end where a header asks for
 *    more than the members do.
 *
 * Layouts of kernel types are never computed; BTF states them.
 */
#include "btf/internal.h"

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return unit ? (value + unit - 1) / unit * unit : value;
}

static uint64_t size_deep(struct types *types, struct type *type,
			  unsigned depth)
{
	type = type_strip(types, type);
	if (type->kind != TYPE_ARRAY)
		return type->kind == TYPE_FORWARD ? 0 : type->size;
	uint64_t size, element;

	if (depth > DEEPEST)
		return 0;
	element = size_deep(types, type->target, depth + 1);
	return __builtin_mul_overflow(element, type->count, &size) ? 0 : size;
}

uint64_t type_size(struct types *types, struct type *type)
{
	return size_deep(types, type, 0);
}

static uint64_t align_deep(struct types *types, struct type *type,
			   unsigned *budget)
{
	uint64_t align = 1;

	type = type_strip(types, type);
	switch (type->kind) {
	case TYPE_ARRAY:
		return align_deep(types, type->target, budget);
	case TYPE_STRUCT:
	case TYPE_UNION:
		if (type->align)
			return type->align;
		if (!*budget || !type_complete(types, type))
			return 1;
		--*budget;
		for (uint32_t i = 0; i < type->nmembers; i++) {
			uint64_t one = align_deep(types, type->members[i].type,
						  budget);

			if (one > align)
				align = one;
		}
		if (*budget)
			type->align = align;
		return align;
	case TYPE_STRING:
		return 1;
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
	case TYPE_STACK:
		return sizeof(uint64_t);
	default:
		return type->size ? type->size : 1;
	}
}

uint64_t type_align(struct types *types, struct type *type)
{
	unsigned budget = MOST_OPENED;

	return align_deep(types, type, &budget);
}

/* ------------------------------------------------------ D's definitions */

static bool is_padding(struct types *types, const struct member *member)
{
	return !member->name && type_is_integer(types, member->type);
}

static uint64_t member_align(struct types *types, const struct type *sou,
			     const struct member *member)
{
	uint64_t align = sou->is_packed ? 1 : type_align(types, member->type);

	if (member->align)
		return member->align;
	return sou->most_align && align > sou->most_align ? sou->most_align
							  : align;
}

/* The bit at which the member begins, given the first free one. */
static uint64_t place(struct types *types, const struct type *sou,
		      const struct member *member, uint64_t free_bit)
{
	uint64_t unit = 8 * member_align(types, sou, member);
	uint64_t width = member->bit_width;

	if (width && sou->is_packed)
		return free_bit;
	if (!width || free_bit / unit != (free_bit + width - 1) / unit)
		return round_up(free_bit, unit);
	return free_bit;
}

static void remove_padding(struct types *types, struct type *sou)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < sou->nmembers; i++)
		if (!is_padding(types, &sou->members[i]))
			sou->members[kept++] = sou->members[i];
	sou->nmembers = kept;
}

void type_finish_sou(struct types *types, struct type *sou)
{
	bool is_union = sou->is_union_tag;
	uint64_t free_bit = 0, end = 0, align = sou->align ? sou->align : 1;

	for (uint32_t i = 0; i < sou->nmembers; i++) {
		struct member *member = &sou->members[i];
		uint64_t bits = member->bit_width;

		if (!bits && !is_padding(types, member))
			bits = 8 * type_size(types, member->type);
		member->bit_offset = is_union ? 0
					      : place(types, sou, member,
						      free_bit);
		free_bit = member->bit_offset + bits;
		if (free_bit > end)
			end = free_bit;
		if (!is_padding(types, member) &&
		    member_align(types, sou, member) > align)
			align = member_align(types, sou, member);
	}
	remove_padding(types, sou);
	sou->kind = is_union ? TYPE_UNION : TYPE_STRUCT;
	sou->size = round_up((end + 7) / 8, align);
	sou->align = align;
	sou->is_complete = true;
}

void type_finish_enum(struct types *types, struct type *type)
{
	bool has_negative = false, is_wide = false, is_large = false;

	(void)types;
	for (uint32_t i = 0; i < type->nenumerators; i++) {
		int64_t value = type->enumerators[i].value;

		has_negative |= value < 0;
		is_large |= value > INT32_MAX;
		is_wide |= value > UINT32_MAX || value < INT32_MIN;
	}
	is_wide |= has_negative && is_large;
	type->kind = TYPE_ENUM;
	type->size = is_wide ? 8 : 4;
	type->bits = is_wide ? 64 : 32;
	/* An enum counts as int wherever an int can hold it. */
	type->is_signed = has_negative || !is_large;
	type->is_complete = true;
}
