/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checker: what a D expression means.
 *
 * check_node() walks the tree bottom-up, gives every expression its type and
 * hands back the node to put in its place.  The rules are spread by subject:
 *
 *	check_name.c	names become variables, constants, inlines
 *	check_symbol.c	`symbols of the kernel
 *	check_op.c	operators, casts, conversion; fold.c does the arithmetic
 *	check_assign.c	assignment, which is where variables get their types
 *	check_member.c	. and ->, sizeof, offsetof, stringof
 *	check_call.c	functions and their prototypes
 *	check_array.c	associative arrays, keys, C arrays; check_args.c args[]
 *	check_agg.c	aggregations
 *	check_statement.c	if, loops, declarations, the order of actions
 *	inline.c xlate.c clause.c provider_decl.c library.c
 *
 * 1. A report ends the check: NULL comes back through all callers.
 * 2. No conversions are inserted; lowering compares the types of operand and
 *    operation.
 * 3. An action among the operands is a value of type void.  The operator's own
 *    error about that type comes first; where it takes void, the action itself
 *    is refused (check_no_action).
 * 4. Translated values, aggregations and whole associative arrays have the
 *    dynamic type: operators refuse it, so no operator needs a rule for each of
 *    them.
 */
#include "lang/check.h"

#include <stdarg.h>

struct node *check_error(struct checker *checker, const struct place *place,
			 enum tag tag, const char *format, ...)
{
	va_list args;
	char *message;

	va_start(args, format);
	message = arena_vprintf(checker_arena(checker), format, args);
	va_end(args);
	diag_error(&checker->language->diag, place, tag, "%s", message);
	return NULL;
}

bool check_attr(struct checker *checker, const struct place *place,
		struct attr attr, const char *kind, const char *name)
{
	const struct option_value *minimum =
		&checker->language->config.options->values[OPTION_AMIN];
	struct clause *clause = checker->clause;
	struct attr least;

	if (clause)
		clause->statement_attr = attr_min(clause->statement_attr, attr);
	if (!minimum->is_set || !minimum->text ||
	    checker->language->in_library ||
	    !attr_parse(minimum->text, &least) || !attr_below(attr, least))
		return true;

	struct text words = { 0 };

	attr_print(attr, &words);
	check_error(checker, place, D_ATTR_MIN,
		    "attributes for %s %s (%s) are less than predefined minimum",
		    kind, name, text_str(&words));
	text_free(&words);
	return false;
}

/* ------------------------------------------------------------- dispatch */

static struct node *check_integer(struct checker *checker, struct node *node)
{
	if (!node->type)
		node->type = checker_base(checker, BASE_INT);
	return node;
}

static struct node *check_string(struct checker *checker, struct node *node)
{
	node->type = checker_base(checker, BASE_STRING);
	return node;
}

static struct node *check_stray_type(struct checker *checker, struct node *node)
{
	return check_error(checker, &node->place, D_SYNTAX,
			   "syntax error near \"%s\"",
			   type_name(checker_types(checker), node->cast.to));
}

static struct node *check_kind(struct checker *checker, struct node *node)
{
	switch (node->kind) {
	case NODE_INTEGER:
		return check_integer(checker, node);
	case NODE_STRING:
		return check_string(checker, node);
	case NODE_NAME:
		return check_name(checker, node, USE_READ);
	case NODE_SYMBOL:
		return check_symbol(checker, node, false);
	case NODE_AGGREGATION:
		return check_aggregation(checker, node);
	case NODE_CALL:
		return check_call(checker, node);
	case NODE_UNARY:
		return check_unary(checker, node);
	case NODE_BINARY:
		return check_binary(checker, node);
	case NODE_TERNARY:
		return check_ternary(checker, node);
	case NODE_MEMBER:
		return check_member(checker, node);
	case NODE_CAST:
		return check_cast(checker, node);
	case NODE_SIZEOF:
		return check_sizeof(checker, node);
	case NODE_OFFSETOF:
		return check_offsetof(checker, node);
	case NODE_STRINGOF:
		return check_stringof(checker, node);
	case NODE_XLATE:
		return check_xlate(checker, node);
	case NODE_TYPE:
		return check_stray_type(checker, node);
	case NODE_VARIABLE:
	case NODE_LET:
	case NODE_IF:
	case NODE_LOOP:
	case NODE_BREAK:
	case NODE_CONTINUE:
	case NODE_RETURN:
	case NODE_BLOCK:
	case NODE_DECLARE:
		break;
	}
	return node;
}

struct node *check_node(struct checker *checker, struct node *node)
{
	if (!node || checker->language->diag.failed)
		return NULL;
	if (node->is_checked)
		return node;

	node->attr = ATTR_MAX;

	const struct node *outer = checker->action;

	checker->action = NULL;
	struct node *checked = check_kind(checker, node);

	if (checked && !check_no_action(checker))
		checked = NULL;
	checker->action = outer;
	if (checked)
		checked->is_checked = true;
	return checked;
}

struct node *check_operand(struct checker *checker, struct node *node)
{
	node = check_node(checker, node);
	if (node && node->is_action)
		check_note_action(checker, node);
	return node;
}

void check_note_action(struct checker *checker, const struct node *call)
{
	if (!checker->action)
		checker->action = call;
}

bool check_no_action(struct checker *checker)
{
	const struct node *call = checker->action;

	if (!call)
		return true;
	const struct function *function = call->call.function;

	if (call->call.defined) {
		check_error(
			checker, &call->place, D_CG_EXPR,
			"function %s( ) has actions and may not be called from a D expression (D program context required)",
			function->name);
		return false;
	}
	check_error(
		checker, &call->place, D_CG_EXPR,
		"%s %s( ) may not be called from a D expression (D program context required)",
		function->kind == FUNCTION_AGGREGATE ? "aggregating function"
						     : "action",
		function->name);
	return false;
}

bool check_list(struct checker *checker, struct node **list)
{
	for (struct node **link = list; *link; link = &(*link)->next) {
		struct node *next = (*link)->next;
		struct node *checked = check_node(checker, *link);

		if (!checked)
			return false;
		if (checked != *link && checked->next != next)
			checked = node_copy(checker_arena(checker), checked);
		checked->next = next;
		*link = checked;
	}
	return true;
}

/* --------------------------------------------------- facts about nodes */

bool node_is_integer_constant(const struct node *node)
{
	return node && node->kind == NODE_INTEGER;
}

bool node_is_null_constant(const struct node *node)
{
	return node_is_integer_constant(node) && node->integer.value == 0;
}

bool node_is_scalar(struct checker *checker, const struct node *node)
{
	struct types *types = checker_types(checker);

	return node->type && !type_is_dynamic(types, node->type) &&
	       !type_is_string(types, node->type) &&
	       type_is_scalar(types, node->type);
}

const char *node_type_name(struct checker *checker, const struct node *node)
{
	struct types *types = checker_types(checker);

	if (!node->type)
		return "<unknown type>";
	if (!type_is_dynamic(types, node->type))
		return type_name(types, node->type);
	if (node->kind == NODE_AGGREGATION)
		return "aggregation";
	if (node->kind == NODE_VARIABLE)
		return ident_kind_name(node->variable.ident);
	if (node_is_translation(node)) {
		const struct node *xlate = translation_of(node);

		return type_is_pointer(types, xlate->cast.to)
			       ? "pointer to translated data"
			       : "translated data";
	}
	return "dynamic variable";
}

/* -------------------------------------------------- outside of clauses */

struct node *check_expression(struct language *language, struct node *node)
{
	struct checker checker = { .language = language };

	node = check_operand(&checker, node);
	return node && check_no_action(&checker) ? node : NULL;
}

bool check_constant(struct language *language, struct node *node,
		    int64_t *value)
{
	node = check_expression(language, node);
	if (!node || node->kind != NODE_INTEGER)
		return false;
	*value = (int64_t)node->integer.value;
	return true;
}
