/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printa([format,] @a [, @b ...]): prints aggregations when the record is
 * consumed, as they are then.  The record itself holds nothing; which
 * aggregations are meant is in the layout.
 *
 * Several aggregations are joined on their keys, so these must agree.
 */
#include "agg/agg.h"
#include "builtin/builtin.h"
#include "builtin/format.h"
#include "ir/lower.h"

static const struct signature no_keys;

static const struct signature *keys_of(const struct ident *ident)
{
	return ident->signature ? ident->signature : &no_keys;
}

static bool check_same_keys(struct checker *checker, const struct node *node,
			    const struct ident *first,
			    const struct ident *other)
{
	struct types *types = checker->language->types;
	const struct signature *a = keys_of(first), *b = keys_of(other);

	if (a->count != b->count)
		return builtin_error(
			checker, node, D_PRINTA_AGGKEY,
			"printa( ): @%s and @%s do not have matching key signatures: @%s has %u key%s, @%s has %u key%s",
			first->name, other->name, first->name, a->count,
			a->count == 1 ? "" : "s", other->name, b->count,
			b->count == 1 ? "" : "s");
	for (uint32_t i = 0; i < a->count; i++) {
		if (type_same(types, a->types[i], b->types[i]) ||
		    (type_is_integer(types, a->types[i]) &&
		     type_is_integer(types, b->types[i])))
			continue;
		return builtin_error(
			checker, node, D_PRINTA_AGGPROTO,
			"printa( ): @%s[ ] key #%u is incompatible with @%s:\n%9s key #%u: %s\n%9s key #%u: %s",
			other->name, i + 1, first->name, first->name, i + 1,
			type_name(types, a->types[i]), other->name, i + 1,
			type_name(types, b->types[i]));
	}
	return true;
}

static bool check_aggregations(struct checker *checker, struct node *call,
			       uint32_t position)
{
	const struct ident *first = NULL;

	for (struct node *arg = call_argument(call, position); arg;
	     arg = arg->next, position++) {
		if (arg->kind != NODE_AGGREGATION)
			return argument_error(checker, call, position,
					      D_PRINTA_AGGARG, "aggregation");
		const struct ident *ident = arg->variable.ident;

		if (!ident->function)
			return aggregation_undefined(checker, arg,
						     D_PRINTA_AGGBAD);
		if (!first)
			first = ident;
		else if (!check_same_keys(checker, arg, first, ident))
			return false;
	}
	return true;
}

static bool check_printa(struct checker *checker, struct node *call)
{
	uint32_t count = call_count(call);
	struct node *first = call_argument(call, 0);
	bool has_format = first && first->kind == NODE_STRING;
	uint32_t position = has_format ? 1 : 0;

	if (count <= position)
		return builtin_error(
			checker, call, D_PRINTA_PROTO,
			"%s( ) prototype mismatch: %u arg%s passed, %u expected",
			call->call.name, count, count == 1 ? "" : "s",
			position + 1);
	if (!has_format && first->kind != NODE_AGGREGATION &&
	    type_is_string(checker->language->types, first->type))
		return argument_error(checker, call, 0, D_PRINTF_ARG_FMT,
				      "string constant");
	if (!check_aggregations(checker, call, position))
		return false;
	if (!has_format)
		return true;
	if (!first->string.length)
		return builtin_error(checker, first, D_PRINTF_FMT_EMPTY,
				     "%s( ) format string is empty",
				     call->call.name);
	struct format *format = format_parse(checker, first);

	call->call.data = format;
	return format &&
	       format_check_printa(checker, call, format,
				   keys_of(first->next->variable.ident),
				   count - 1);
}

static bool lower_printa(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct schema_action *action = layout_action(lower, call, 0);
	const struct node *arg = call->call.args;

	(void)result;
	action->format = call->call.data;
	action->aggregations = arena_array_of(lower->session->arena, uint32_t,
					      call_count(call));
	for (; arg; arg = arg->next)
		if (arg->kind == NODE_AGGREGATION)
			action->aggregations[action->naggregations++] =
				agg_schema(lower, arg->variable.ident)->id;
	return true;
}

ACTION(printa, "void (@, [...])", .flags = FUNCTION_RECORDS,
       .check = check_printa, .lower = lower_printa, .rule = RULE_TABLE);
