/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The type of an undeclared integer variable: the widest of all that the
 * program assigns to it.
 *
 *	BEGIN { last = 0; }  tick-1s { printf("%d\n", last); last = timestamp; }
 *
 * The first assignment says int, as everywhere; but a variable holds 64 bits,
 * and printing it should show all of them.  So each assignment of something
 * wider widens the variable, and a program in which that happened is checked
 * again, so that code above the assignment sees the new type, too.
 *
 * A type smaller than int came from a cast or a member, and stays.  The sign
 * stays that of the first assignment, because old scripts compare with 0.  A
 * plain constant that is not negative fits both signs: then the wider value
 * decides.
 *
 * Keys are narrowed to the types of their first use, so the arrays and
 * aggregations of such a program determine their key types again.
 */
#include "lang/check.h"

/* A constant like 0 or 3: it fits any sign. */
static bool has_no_sign(struct types *types, const struct node *value)
{
	return value->kind == NODE_INTEGER &&
	       type_is_signed(types, value->type) &&
	       (int64_t)value->integer.value >= 0;
}

void infer_first(struct checker *checker, struct ident *ident,
		 const struct node *value)
{
	struct types *types = checker_types(checker);

	ident->is_open_sign = type_is_integer(types, ident->type) &&
			      has_no_sign(types, value);
}

/* A constant that the type can hold does not widen it. */
static bool fits(struct types *types, struct type *type,
		 const struct node *value)
{
	bool is_huge = value->kind == NODE_INTEGER &&
		       !type_is_signed(types, value->type) &&
		       value->integer.value > INT64_MAX;

	return value->kind == NODE_INTEGER && !is_huge &&
	       fold_truncate(types, type, value->integer.value) ==
		       value->integer.value;
}

void infer_more(struct checker *checker, struct ident *ident,
		const struct node *value)
{
	struct types *types = checker_types(checker);

	if (ident->is_declared || !type_is_integer(types, ident->type) ||
	    !type_is_integer(types, value->type))
		return;

	bool is_open = ident->is_open_sign;
	uint64_t size = type_size(types, value->type);

	ident->is_open_sign = is_open && has_no_sign(types, value);
	if (size <= type_size(types, ident->type) ||
	    type_size(types, ident->type) < sizeof(int) ||
	    fits(types, ident->type, value))
		return;

	bool is_signed = type_is_signed(types,
					is_open ? value->type : ident->type);

	ident->type = type_is_signed(types, value->type) == is_signed
			      ? type_unqualified(value->type)
			      : checker_base(checker, is_signed ? BASE_INT64
								: BASE_UINT64);
	checker->language->has_widened = true;
}

/* ---------------------------------------------------------- once more */

static bool takes_keys(const struct ident *ident)
{
	return !ident->is_declared &&
	       (ident->kind == IDENT_ARRAY || ident->kind == IDENT_AGGREGATION);
}

static void forget_keys(struct vec_idents *list, uint32_t first)
{
	for (uint32_t i = first; i < list->count; i++) {
		struct ident *ident = list->items[i];

		if (!takes_keys(ident))
			continue;
		ident->former_signature = ident->signature;
		ident->signature = NULL;
	}
}

/* What only an inline mentions has not been seen again. */
static void restore_keys(struct vec_idents *list, uint32_t first)
{
	for (uint32_t i = first; i < list->count; i++) {
		struct ident *ident = list->items[i];

		if (takes_keys(ident) && !ident->signature)
			ident->signature = ident->former_signature;
	}
}

bool infer_again(struct language *language, struct program *program,
		 struct ident_mark before)
{
	enum { ROUNDS = 8 }; /* x = y, y = z, z = w ... */
	bool good = true;

	for (int i = 0; i < ROUNDS && language->has_widened && good; i++) {
		language->has_widened = false;
		functions_forget(language, 0);
		forget_keys(&language->global_list, before.globals);
		forget_keys(&language->self_list, before.selfs);
		forget_keys(&language->aggregation_list, before.aggregations);
		for (struct clause *clause = program->clauses; clause && good;
		     clause = clause->next)
			good = check_clause_again(language, clause);
		restore_keys(&language->global_list, before.globals);
		restore_keys(&language->self_list, before.selfs);
		restore_keys(&language->aggregation_list, before.aggregations);
	}
	return good;
}
