/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats, compile time: checking arguments against them.
 *
 * A D format differs from C's in what is optional: the argument's own type
 * gives its size, and for %d also its sign, so size letters are redundant and
 * are checked when present.  Every conversion is one row of the table below;
 * printing them is format_print.c.
 *
 * 1. Conversions are numbered from 1 in messages; %% counts.
 * 2. A precision of 0 means no precision (%.0s prints everything).
 * 3. printa() is checked with the same code: its values are the keys of the
 *    aggregation, and %@ takes the aggregation's result.
 *
 * What newcomers get wrong: arguments are numbered as the user wrote them, so
 * the first value of printf() is argument #2.
 */
#include "builtin/format.h"

struct format *format_parse(struct checker *checker, const struct node *string)
{
	const char *trouble = NULL;
	struct format *format = format_read(checker->language->arena,
					    string->string.bytes,
					    string->string.length, &trouble);

	if (!format)
		diag_error(&checker->language->diag, &string->place, D_SYNTAX,
			   "%s", trouble);
	return format;
}

/* -------------------------------------------------------------- checking */

static bool accepts(struct checker *checker, const struct conversion_kind *kind,
		    struct type *type)
{
	struct types *types = checker->language->types;
	bool is_integer = type_is_integer(types, type);
	struct type *bare = type_strip(types, type);
	uint64_t size = type_size(types, type);
	enum type_kind element = TYPE_VOID;

	if (bare->kind == TYPE_ARRAY)
		element = type_strip(types, bare->target)->kind;
	switch (kind->accepts) {
	case ACCEPTS_INTEGER:
		return is_integer;
	case ACCEPTS_CHAR:
		return is_integer && size <= 4;
	case ACCEPTS_EXACT:
		return is_integer && size == kind->size &&
		       type_is_signed(types, type) == kind->is_signed;
	case ACCEPTS_EXACT_SIZE:
		return is_integer && size == kind->size;
	case ACCEPTS_FLOAT:
		return type_is_float(types, type);
	case ACCEPTS_EXACT_FLOAT:
		return type_is_float(types, type) && size == kind->size;
	case ACCEPTS_ADDRESS:
		return is_integer || type_is_pointer(types, type) ||
		       bare->kind == TYPE_SYMADDR;
	case ACCEPTS_USER_ADDRESS:
		return bare->kind == TYPE_USYMADDR ||
		       (checker->language->target &&
			(is_integer || type_is_pointer(types, type)));
	case ACCEPTS_STACK:
		return bare->kind == TYPE_STACK;
	case ACCEPTS_STRING:
		return type_is_string(types, type) ||
		       type_is_char_array(types, type);
	case ACCEPTS_WIDE_STRING:
		return bare->kind == TYPE_ARRAY && element == TYPE_INTEGER &&
		       type_size(types, bare->target) == 4;
	case ACCEPTS_TIME:
		return is_integer && size == 8;
	case ACCEPTS_NOTHING:
		return true;
	}
	return false;
}

/* The values that a format consumes: arguments of a call, or keys. */
struct supply {
	struct checker *checker;
	struct node *call;
	const char *function;
	struct node *node;	      /* next argument, or NULL */
	const struct signature *keys; /* printa */
	uint32_t taken;		      /* arguments or keys so far */
	uint32_t first;		      /* number of the first one */
};

static bool supply_peek(const struct supply *supply, struct type **type,
			const char **name)
{
	struct checker *checker = supply->checker;

	if (supply->keys) {
		if (supply->taken >= supply->keys->count)
			return false;
		*type = supply->keys->types[supply->taken];
		*name = type_name(checker->language->types, *type);
		return true;
	}
	if (!supply->node)
		return false;
	*type = supply->node->type;
	*name = node_type_name(checker, supply->node);
	return true;
}

static const char *supply_what(const struct supply *supply)
{
	return supply->keys ? "key" : "argument";
}

static const struct place *supply_place(const struct supply *supply)
{
	return supply->node ? &supply->node->place : &supply->call->place;
}

static void supply_next(struct supply *supply)
{
	if (supply->node)
		supply->node = supply->node->next;
	supply->taken++;
}

static bool check_star(struct supply *supply, const struct conversion *item,
		       const char *star)
{
	struct diag *diag = &supply->checker->language->diag;
	struct types *types = supply->checker->language->types;
	struct type *type;
	const char *name;

	if (!supply_peek(supply, &type, &name))
		return diag_error(
			diag, &supply->call->place, D_PRINTF_DYN_PROTO,
			"%s( ) prototype mismatch: conversion #%u (%%%s) is missing a corresponding \"%s\" argument",
			supply->function, item->number, item->kind->name, star);
	if (!type_is_integer(types, type))
		return diag_error(
			diag, supply_place(supply), D_PRINTF_DYN_TYPE,
			"%s( ) %s #%u is incompatible with conversion #%u prototype:\n\tconversion: %% %s %s\n\t prototype: int\n\t  argument: %s",
			supply->function, supply_what(supply),
			supply->first + supply->taken, item->number, star,
			item->kind->name, name);
	supply_next(supply);
	return true;
}

/* A char * of the traced program means its text, as with stringof. */
static void follow_user_text(struct supply *supply,
			     const struct conversion *item)
{
	struct node *node = supply->node;
	struct checker *checker = supply->checker;
	struct types *types = checker->language->types;

	if (!node || item->kind->accepts != ACCEPTS_STRING ||
	    !type_is_stringlike(types, node->type))
		return;
	struct type *bare = type_strip(types, node->type);

	if (bare->kind != TYPE_POINTER || !(bare->is_user || node->is_user))
		return;
	struct node *pointer = arena_copy(checker->language->arena, node,
					  sizeof(*node));

	pointer->next = NULL;
	node->kind = NODE_STRINGOF;
	node->unary.operand = pointer;
	node->type = types_base(types, BASE_STRING);
}

static bool check_value(struct supply *supply, const struct conversion *item)
{
	struct diag *diag = &supply->checker->language->diag;
	struct type *type;
	const char *name;

	follow_user_text(supply, item);
	if (!supply_peek(supply, &type, &name))
		return diag_error(
			diag, &supply->call->place, D_PRINTF_ARG_PROTO,
			"%s( ) prototype mismatch: conversion #%u (%%%s) is missing a corresponding value argument",
			supply->function, item->number, item->kind->name);
	if (!accepts(supply->checker, item->kind, type)) {
		diag_error(
			diag, supply_place(supply), D_PRINTF_ARG_TYPE,
			"%s( ) %s #%u is incompatible with conversion #%u prototype:\n\tconversion: %%%s\n\t prototype: %s\n\t  argument: %s",
			supply->function, supply_what(supply),
			supply->first + supply->taken, item->number,
			item->kind->name, item->kind->prototype, name);
		if (item->kind->accepts == ACCEPTS_STRING &&
		    type_is_integer(supply->checker->language->types, type))
			diag_hint(
				diag,
				"copyinstr(address) reads a string of the process, stringof(pointer) one of the kernel");
		return false;
	}
	supply_next(supply);
	return true;
}

/* Results of aggregations are 64-bit numbers, or histograms. */
static bool check_result(struct supply *supply, const struct conversion *item,
			 uint32_t naggs)
{
	struct diag *diag = &supply->checker->language->diag;
	struct types *types = supply->checker->language->types;

	if (!naggs)
		return diag_error(
			diag, &supply->call->place, D_PRINTF_AGG_CONV,
			"%%@ conversion requires an aggregation and is not for use with %s( )",
			supply->function);
	if (accepts(supply->checker, item->kind,
		    types_base(types, BASE_INT64)) ||
	    accepts(supply->checker, item->kind,
		    types_base(types, BASE_UINT64)))
		return true;
	return diag_error(
		diag, &supply->call->place, D_PRINTF_ARG_TYPE,
		"%s( ) aggregation result is incompatible with conversion #%u prototype:\n\tconversion: %%%s\n\t prototype: %s\n\t  argument: %s",
		supply->function, item->number, item->kind->name,
		item->kind->prototype,
		type_name(types, types_base(types, BASE_INT64)));
}

static bool check_items(struct supply *supply, const struct format *format,
			uint32_t naggs)
{
	for (const struct conversion *item = format->conversions; item;
	     item = item->next) {
		if (!item->kind || item->kind->accepts == ACCEPTS_NOTHING)
			continue;
		if (item->takes_width && !check_star(supply, item, "*"))
			return false;
		if (item->takes_precision && !check_star(supply, item, ".*"))
			return false;
		if (item->flags & FLAG_AGGREGATION
			    ? !check_result(supply, item, naggs)
			    : !check_value(supply, item))
			return false;
	}
	return true;
}

bool format_check(struct checker *checker, struct node *call,
		  const struct format *format, struct node *first)
{
	struct supply supply = {
		.checker = checker, .call = call, .function = call->call.name,
		.node = first, .first = 1,
	};

	for (struct node *arg = call->call.args; arg && arg != first;
	     arg = arg->next)
		supply.first++;
	if (!check_items(&supply, format, 0))
		return false;
	if (!supply.node)
		return true;
	return diag_error(
		&checker->language->diag, &supply.node->place,
		D_PRINTF_ARG_EXTRA,
		"%s( ) prototype mismatch: only %u arguments required by this format string",
		supply.function, supply.taken);
}

bool format_check_printa(struct checker *checker, struct node *call,
			 const struct format *format,
			 const struct signature *keys, uint32_t naggs)
{
	static const struct signature none = { 0 };
	struct supply supply = {
		.checker = checker, .call = call, .function = call->call.name,
		.keys = keys ? keys : &none, .first = 1,
	};

	return check_items(&supply, format, naggs);
}
