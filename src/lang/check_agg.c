/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregations: @name[keys] = function(args).
 *
 * A name belongs to one aggregating function and one list of key types, both
 * fixed by its first use.  Aggregations cannot be read in D: elsewhere they may
 * only be handed whole to printa(), clear() and the like, which check for
 * themselves that it is assigned somewhere.
 */
#include "lang/check.h"
#include "lang/inspect.h"

static struct ident *find(struct checker *checker, const struct node *node)
{
	struct ident *ident = language_make_ident(checker->language,
						  IDENT_AGGREGATION,
						  SCOPE_GLOBAL, node->name.name,
						  &node->place);

	if (ident)
		sight_ident(checker->language, &node->place, ident);
	return ident;
}

static struct node *aggregation_node(struct checker *checker,
				     const struct node *parsed,
				     struct ident *ident)
{
	struct node *node = node_make(checker_arena(checker), NODE_AGGREGATION,
				      &parsed->place);

	node->variable.ident = ident;
	node->variable.keys = parsed->name.keys;
	node->type = checker_base(checker, BASE_DYNAMIC);
	node->is_checked = true;
	return node;
}

struct node *check_aggregation(struct checker *checker, struct node *node)
{
	struct ident *ident = find(checker, node);
	bool has_keys = node->name.has_keys;

	if (!ident)
		return NULL;
	node = aggregation_node(checker, node, ident);
	if (has_keys &&
	    !check_keys(checker, ident, &node->variable.keys, &node->place))
		return NULL;
	return node;
}

static bool check_function(struct checker *checker, const struct node *node,
			   struct ident *ident, const struct function *function)
{
	if (!ident->function) {
		ident->function = function;
		ident->place = node->binary.left->place;
		return true;
	}
	if (ident->function == function)
		return true;
	check_error(
		checker, &node->place, D_AGG_REDEF,
		"aggregation redefined: @%s\n\t current: @%s = %s( )\n\tprevious: @%s = %s( ) : line %u",
		ident->name, ident->name, function->name, ident->name,
		ident->function->name, ident->place.line);
	return false;
}

static struct node *not_a_function(struct checker *checker,
				   const struct node *node, const char *name)
{
	check_error(checker, &node->place, D_AGG_FUNC,
		    "@%s must be assigned the result of an aggregating function",
		    name);
	diag_hint(&checker->language->diag,
		  "for example @ = count(), or @ = sum(value)");
	return NULL;
}

struct node *check_aggregation_assign(struct checker *checker,
				      struct node *node)
{
	struct node *left = node->binary.left, *call = node->binary.right;
	const struct node *statement = checker->statement;
	struct ident *ident, *outer = checker->aggregation;
	const struct function *function;

	if (left->kind != NODE_AGGREGATION)
		return check_operand(checker, left); /* @a[1][2] */
	if (node->op != OP_ASSIGN || call->kind != NODE_CALL)
		return not_a_function(checker, node, left->name.name);
	ident = find(checker, left);
	if (!ident)
		return NULL;

	struct node *aggregation = aggregation_node(checker, left, ident);

	if (!check_keys(checker, ident, &aggregation->variable.keys,
			&left->place))
		return NULL;
	checker->aggregation = ident;
	checker->statement = call;
	call = check_node(checker, call);
	checker->aggregation = outer;
	checker->statement = statement;
	if (!call)
		return NULL;
	function = call->kind == NODE_CALL ? call->call.function : NULL;
	if (!function || function->kind != FUNCTION_AGGREGATE)
		return not_a_function(checker, node, ident->name);
	if (!check_function(checker, node, ident, function))
		return NULL;
	aggregation->variable.call = call;
	aggregation->attr = call->attr;
	if (function->check_aggregation &&
	    !function->check_aggregation(checker, aggregation))
		return NULL;
	return aggregation;
}
