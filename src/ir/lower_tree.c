/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over checked trees, for questions that lowering asks beforehand. */

#include <string.h>

#include "ir/lower_internal.h"
#include "lang/defined_function.h"

typedef void visit_fn(void *data, const struct node *node);

static void visit_translator(const struct translator *translator,
			     visit_fn *visit, void *data)
{
	const struct translator_member *member = translator
							 ? translator->members
							 : NULL;

	for (; member; member = member->next)
		tree_visit(member->value, visit, data);
}

/*
 * A call of a D function is what its body does, too.  Its parameters are
 * mentioned in the body only.
 */
static void visit_children(const struct node *node, visit_fn *visit, void *data)
{
	switch (node->kind) {
	case NODE_VARIABLE:
		tree_visit(node->variable.keys, visit, data);
		break;
	case NODE_AGGREGATION:
		tree_visit(node->variable.keys, visit, data);
		tree_visit(node->variable.call, visit, data);
		break;
	case NODE_CALL:
		tree_visit(node->call.args, visit, data);
		if (node->call.defined)
			tree_visit(node->call.defined->body, visit, data);
		break;
	case NODE_UNARY:
	case NODE_STRINGOF:
		tree_visit(node->unary.operand, visit, data);
		break;
	case NODE_BINARY:
		tree_visit(node->binary.left, visit, data);
		tree_visit(node->binary.right, visit, data);
		break;
	case NODE_TERNARY:
	case NODE_IF:
		tree_visit(node->ternary.condition, visit, data);
		tree_visit(node->ternary.then, visit, data);
		tree_visit(node->ternary.otherwise, visit, data);
		break;
	case NODE_LOOP:
		tree_visit(node->loop.init, visit, data);
		tree_visit(node->loop.condition, visit, data);
		tree_visit(node->loop.body, visit, data);
		tree_visit(node->loop.step, visit, data);
		break;
	case NODE_BLOCK:
		tree_visit(node->block.statements, visit, data);
		break;
	case NODE_DECLARE:
		tree_visit(node->declare.assignment, visit, data);
		break;
	case NODE_RETURN:
		tree_visit(node->leave.value, visit, data);
		break;
	case NODE_MEMBER:
		tree_visit(node->member.object, visit, data);
		break;
	case NODE_CAST:
		tree_visit(node->cast.operand, visit, data);
		break;
	case NODE_XLATE:
		tree_visit(node->cast.operand, visit, data);
		visit_translator(node->cast.translator, visit, data);
		break;
	case NODE_LET:
		tree_visit(node->let.value, visit, data);
		tree_visit(node->let.body, visit, data);
		break;
	default:
		break;
	}
}

void tree_visit(const struct node *list, visit_fn *visit, void *data)
{
	for (const struct node *node = list; node; node = node->next) {
		visit(data, node);
		visit_children(node, visit, data);
	}
}

static void look_for_clock(void *data, const struct node *node)
{
	unsigned *found = data;

	if (node->kind == NODE_VARIABLE &&
	    node->variable.ident->kind == IDENT_BUILTIN)
		*found |= node->variable.ident->builtin->clock;
}

unsigned tree_clocks(const struct node *list)
{
	unsigned found = 0;

	tree_visit(list, look_for_clock, &found);
	return found;
}

static void look_for_assignment(void *data, const struct node *node)
{
	bool *found = data;

	if (node->kind == NODE_BINARY &&
	    (node->op == OP_ASSIGN || op_of_assignment(node->op) != OP_NONE))
		*found = true;
	if (node->kind == NODE_UNARY && node->op >= OP_PRE_INCREMENT &&
	    node->op <= OP_POST_DECREMENT)
		*found = true;
}

bool tree_assigns(const struct node *list)
{
	bool found = false;

	tree_visit(list, look_for_assignment, &found);
	return found;
}

uint32_t tree_count_returns(const struct node *list)
{
	uint32_t count = 0;

	for (; list; list = list->next) {
		if (list->kind == NODE_RETURN)
			count++;
		else if (list->kind == NODE_IF)
			count += tree_count_returns(list->ternary.then) +
				 tree_count_returns(list->ternary.otherwise);
		else if (list->kind == NODE_LOOP)
			count += tree_count_returns(list->loop.body);
		else if (list->kind == NODE_BLOCK)
			count += tree_count_returns(list->block.statements);
	}
	return count;
}

bool tree_returns(const struct node *node)
{
	struct node alone = *node;

	alone.next = NULL;
	return tree_count_returns(&alone) != 0;
}

static bool has_jump(const struct node *list)
{
	for (; list; list = list->next)
		if (tree_leaves(list))
			return true;
	return false;
}

bool tree_leaves(const struct node *node)
{
	switch (node->kind) {
	case NODE_BREAK:
	case NODE_CONTINUE:
	case NODE_RETURN:
		return true;
	case NODE_IF:
		return has_jump(node->ternary.then) ||
		       has_jump(node->ternary.otherwise);
	case NODE_BLOCK:
		return has_jump(node->block.statements);
	case NODE_LOOP:
		return tree_returns(node);
	default:
		return false;
	}
}
