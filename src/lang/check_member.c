/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members and sizes: a.b, a->b, sizeof, offsetof, stringof.
 *
 * A member of a translated value is not a load: it is the expression that the
 * translator gives for that member (xlate.c).
 */
#include "lang/check.h"
#include "lang/inspect.h"

static struct node *unknown_member(struct checker *checker,
				   const struct node *node, struct type *sou)
{
	check_error(checker, &node->place, D_TYPE_MEMBER,
		    "%s is not a member of %s", node->member.name,
		    type_name(checker_types(checker), sou));
	hint_member(checker->language, sou, node->member.name);
	return NULL;
}

static struct node *no_definition(struct checker *checker,
				  const struct node *node, struct type *sou)
{
	return check_error(
		checker, &node->place, D_OP_INCOMPLETE,
		"operator %s cannot be applied to a forward declaration: no %s definition is available",
		op_name(node->op), type_name(checker_types(checker), sou));
}

/* The struct that . or -> looks into, or NULL after a report. */
static struct type *struct_of(struct checker *checker, const struct node *node,
			      const struct node *object)
{
	struct types *types = checker_types(checker);
	struct type *type = type_strip(types, object->type);
	bool is_arrow = node->op == OP_ARROW;

	if (is_arrow && type->kind != TYPE_POINTER &&
	    type->kind != TYPE_ARRAY) {
		check_error(checker, &node->place, D_OP_PTR,
			    "operator -> must be applied to a pointer");
		if (type_is_sou(types, type))
			diag_hint(&checker->language->diag,
				  "members of a %s are reached by .",
				  type_name(types, object->type));
		return NULL;
	}

	struct type *named = is_arrow ? type->target : object->type;
	struct type *sou = type_strip(types, named);

	if (sou->kind == TYPE_FORWARD) {
		no_definition(checker, node, named);
		return NULL;
	}
	if (!type_is_sou(types, sou)) {
		if (is_arrow)
			check_error(
				checker, &node->place, D_OP_SOU,
				"operator -> cannot be applied to pointer to type \"%s\"; must be applied to a struct or union pointer",
				type_name(types, named));
		else
			check_error(
				checker, &node->place, D_OP_SOU,
				"operator . cannot be applied to type \"%s\"; must be applied to a struct or union",
				type_name(types, named));
		if (!is_arrow && type->kind == TYPE_POINTER &&
		    type_is_sou(types, type_strip(types, type->target)))
			diag_hint(&checker->language->diag,
				  "members behind a pointer are reached by ->");
		return NULL;
	}
	if (!type_complete(types, sou)) {
		no_definition(checker, node, named);
		return NULL;
	}
	return named;
}

struct node *check_member(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *object = check_operand(checker, node->member.object);
	struct type *sou;

	if (!object)
		return NULL;
	object = translation_kept(checker, object);
	if (node_is_translation(object)) {
		struct node *value = translation_member(checker, object, node);

		if (value)
			sight_member(checker->language, node,
				     translation_of(object)->cast.to,
				     value->type);
		return value;
	}
	if (!check_not_dynamic(checker, op_name(node->op), object))
		return NULL;
	node->member.object = object;
	sou = struct_of(checker, node, object);
	if (!sou)
		return NULL;
	if (!type_member(types, type_strip(types, sou), node->member.name,
			 &node->member.member))
		return unknown_member(checker, node, sou);

	struct type *pointer = type_strip(types, object->type);

	node->type = node->member.member.type;
	sight_member(checker->language, node, sou, node->type);
	node->attr = object->attr;
	node->is_bitfield = node->member.member.bit_width != 0;
	node->is_lvalue = node->op == OP_ARROW || object->is_lvalue;
	node->is_writable = node->op == OP_ARROW || object->is_writable;
	node->is_user = object->is_user ||
			(node->op == OP_ARROW && pointer->is_user);
	return node;
}

static struct node *size_constant(struct checker *checker,
				  const struct node *node, uint64_t size)
{
	return node_make_integer(checker_arena(checker), size,
				 checker_base(checker, BASE_SIZE),
				 &node->place);
}

static struct node *size_of_type(struct checker *checker,
				 const struct node *node, struct type *type)
{
	struct types *types = checker_types(checker);
	struct type *stripped = type_strip(types, type);
	bool is_empty = type_is_sou(types, stripped) &&
			type_complete(types, stripped);
	uint64_t size = type_size(types, type);

	if (type_is_dynamic(types, type) || type_is_void(types, type) ||
	    stripped->kind == TYPE_FUNCTION || (!size && !is_empty))
		return check_error(
			checker, &node->place, D_SIZEOF_TYPE,
			"cannot apply sizeof to an operand of unknown size");
	return size_constant(checker, node, size);
}

struct node *check_sizeof(struct checker *checker, struct node *node)
{
	struct node *operand = node->unary.operand;

	if (operand->kind == NODE_TYPE)
		return size_of_type(checker, node, operand->cast.to);
	operand = check_operand(checker, operand);
	if (!operand || !check_not_array(checker, operand))
		return NULL;
	if (operand->is_bitfield)
		return check_error(checker, &node->place, D_SIZEOF_BITFIELD,
				   "cannot apply sizeof to a bit-field");
	if (operand->kind == NODE_STRING)
		return size_constant(checker, node, operand->string.length + 1);
	if (node_is_translation(operand))
		return size_of_type(checker, node,
				    translation_of(operand)->cast.to);
	return size_of_type(checker, node, operand->type);
}

struct node *check_offsetof(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct type *type = type_strip(types, node->member.of);
	struct member member;

	if (!type_is_sou(types, type) || type->kind == TYPE_FORWARD)
		return check_error(
			checker, &node->place, D_OFFSETOF_TYPE,
			"offsetof operand must be a struct or union type");
	if (!type_complete(types, type) ||
	    !type_member(types, type, node->member.name, &member)) {
		check_error(
			checker, &node->place, D_UNKNOWN,
			"failed to determine offset of %s: Member name not found",
			node->member.name);
		hint_member(checker->language, type, node->member.name);
		return NULL;
	}
	if (member.bit_width)
		return check_error(checker, &node->place, D_OFFSETOF_BITFIELD,
				   "cannot take offset of a bit-field: %s",
				   node->member.name);
	return size_constant(checker, node, member.bit_offset / 8);
}

struct node *check_stringof(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *operand = check_operand(checker, node->unary.operand);

	if (!operand)
		return NULL;
	if (type_is_dynamic(types, operand->type) ||
	    (!type_is_stringlike(types, operand->type) &&
	     !node_is_scalar(checker, operand)))
		return check_error(checker, &node->place, D_STRINGOF_TYPE,
				   "cannot apply stringof to a value of type %s",
				   node_type_name(checker, operand));
	if (check_is_string_operand(checker, operand))
		return operand;
	node->unary.operand = operand;
	node->type = checker_base(checker, BASE_STRING);
	node->attr = operand->attr;
	node->is_user = operand->is_user;
	return node;
}
