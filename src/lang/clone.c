/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making and copying nodes.
 *
 * Checking writes into the tree, and a clause may have to be checked twice
 * (predicate after or before the statements, once per description when the
 * descriptions' arguments differ).  So each attempt works on a clone of what
 * the parser left.  Only unchecked trees are cloned: identifiers and types in
 * them are shared, nodes and the local names that they declare are not.
 */
#include "lang/check.h"

struct node *node_make(struct arena *arena, enum node_kind kind,
		       const struct place *place)
{
	struct node *node = arena_new_of(arena, struct node);

	node->kind = kind;
	if (place)
		node->place = *place;
	node->attr = ATTR_MAX;
	return node;
}

struct node *node_make_integer(struct arena *arena, uint64_t value,
			       struct type *type, const struct place *place)
{
	struct node *node = node_make(arena, NODE_INTEGER, place);

	node->integer.value = value;
	node->type = type;
	node->is_checked = true;
	return node;
}

struct node *node_copy(struct arena *arena, const struct node *node)
{
	struct node *copy = arena_copy(arena, node, sizeof(*node));

	copy->next = NULL;
	return copy;
}

struct node *node_clone_list(struct arena *arena, const struct node *list)
{
	struct node *first = NULL, **end = &first;

	for (; list; list = list->next) {
		*end = node_clone(arena, list);
		end = &(*end)->next;
	}
	return first;
}

struct node *node_clone(struct arena *arena, const struct node *node)
{
	if (!node)
		return NULL;

	struct node *copy = node_copy(arena, node);

	if (node->is_checked)
		return copy;
	switch (node->kind) {
	case NODE_NAME:
	case NODE_AGGREGATION:
		copy->name.keys = node_clone_list(arena, node->name.keys);
		break;
	case NODE_CALL:
		copy->call.args = node_clone_list(arena, node->call.args);
		break;
	case NODE_UNARY:
	case NODE_SIZEOF:
	case NODE_STRINGOF:
		copy->unary.operand = node_clone(arena, node->unary.operand);
		break;
	case NODE_BINARY:
		copy->binary.left = node_clone(arena, node->binary.left);
		copy->binary.right = node_clone_list(arena, node->binary.right);
		break;
	case NODE_TERNARY:
	case NODE_IF:
		copy->ternary.condition = node_clone(arena,
						     node->ternary.condition);
		copy->ternary.then = node_clone_list(arena, node->ternary.then);
		copy->ternary.otherwise =
			node_clone_list(arena, node->ternary.otherwise);
		break;
	case NODE_LOOP:
		copy->loop.init = node_clone_list(arena, node->loop.init);
		copy->loop.condition = node_clone(arena, node->loop.condition);
		copy->loop.step = node_clone_list(arena, node->loop.step);
		copy->loop.body = node_clone_list(arena, node->loop.body);
		break;
	case NODE_BLOCK:
		copy->block.statements =
			node_clone_list(arena, node->block.statements);
		break;
	case NODE_DECLARE:
		/* checking writes to it, too */
		copy->declare.ident = arena_copy(arena, node->declare.ident,
						 sizeof(struct ident));
		copy->declare.assignment = node_clone(arena,
						      node->declare.assignment);
		break;
	case NODE_RETURN:
		copy->leave.value = node_clone(arena, node->leave.value);
		break;
	case NODE_MEMBER:
		copy->member.object = node_clone(arena, node->member.object);
		break;
	case NODE_CAST:
	case NODE_XLATE:
	case NODE_TYPE:
		copy->cast.operand = node_clone(arena, node->cast.operand);
		break;
	case NODE_INTEGER:
	case NODE_STRING:
	case NODE_VARIABLE:
	case NODE_SYMBOL:
	case NODE_OFFSETOF:
	case NODE_LET:
	case NODE_BREAK:
	case NODE_CONTINUE:
		break;
	}
	return copy;
}
