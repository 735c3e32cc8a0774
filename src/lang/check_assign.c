/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assignment: where D variables get their types.
 *
 * The first assignment to a name, in the order of the text, gives it the type
 * of its right side; from then on the type is fixed, except that integers may
 * become wider (infer.c).  D's own variables and scratch memory are writable.
 * A store through a pointer is accepted unless it visibly leads into the kernel
 * (it begins at a built-in variable or a kernel symbol); the others are tested
 * at run time.
 *
 * Strings and what copyin() gives end with the clause.  A global or
 * thread-local pointer that is assigned one of them keeps a copy (ident->keeps)
 * and points to that.
 */
#include <string.h>

#include "lang/check.h"

enum { KEPT = 4096 }; /* most bytes that a pointer keeps */

/* Where the pointer of an lvalue comes from. */
static const struct node *pointer_origin(const struct node *node)
{
	for (;;) {
		switch (node->kind) {
		case NODE_MEMBER:
			node = node->member.object;
			break;
		case NODE_UNARY:
			if (node->op != OP_DEREFERENCE)
				return node;
			node = node->unary.operand;
			break;
		case NODE_CAST:
			node = node->cast.operand;
			break;
		case NODE_BINARY:
			if (node->op != OP_INDEX && node->op != OP_ADD &&
			    node->op != OP_SUBTRACT)
				return node;
			node = node->binary.left;
			break;
		default:
			return node;
		}
	}
}

bool check_lvalue(struct checker *checker, enum op op, const struct node *node)
{
	const struct node *origin = pointer_origin(node);
	bool is_kernel = origin->kind == NODE_SYMBOL ||
			 (origin->kind == NODE_VARIABLE &&
			  origin->variable.ident->builtin &&
			  !origin->is_writable) ||
			 (origin->kind == NODE_VARIABLE &&
			  origin->variable.ident->kind == IDENT_PARAMETER);

	if (origin->kind == NODE_VARIABLE)
		origin->variable.ident->is_written = true;
	if (is_kernel && (node->is_lvalue || node == origin)) {
		check_error(
			checker, &node->place, D_OP_WRITE,
			"operator %s can only be applied to a writable variable",
			op_name(op));
		if (op == OP_ASSIGN && checker->in_predicate)
			diag_hint(&checker->language->diag, "did you mean ==?");
		return false;
	}
	if (node->is_lvalue && node->is_writable)
		return true;
	check_error(checker, &node->place, D_OP_LVAL,
		    "operator %s requires modifiable lvalue as an operand",
		    op_name(op));
	return false;
}

bool check_assignable(struct checker *checker, struct type *type,
		      struct node *node)
{
	struct types *types = checker_types(checker);
	struct type *to, *from;

	if (type_is_dynamic(types, type))
		return true;
	if (!node->type || type_is_dynamic(types, node->type) ||
	    type_is_void(types, node->type))
		return false;
	to = type_strip(types, type);
	from = type_strip(types, node->type);
	if (type_is_integer(types, to) && type_is_integer(types, from))
		return true;
	if (type_is_float(types, to) && type_is_float(types, from))
		return to->size == from->size;
	if (type_is_stringlike(types, to) && type_is_stringlike(types, from))
		return true;
	if (node_is_null_constant(node) &&
	    (to->kind == TYPE_STRING || to->kind == TYPE_POINTER))
		return true;
	if (to->kind == TYPE_POINTER && from->kind == TYPE_ARRAY)
		check_array_decay(checker, node);
	if (to->kind == TYPE_POINTER && from->kind != TYPE_STRING &&
	    type_is_pointer(types, from))
		return type_pointers_compatible(types, to,
						check_decay(checker, from));
	if (to->kind == TYPE_POINTER && from->kind == TYPE_FUNCTION)
		return type_strip(types, to->target)->kind == TYPE_FUNCTION;
	switch (to->kind) {
	case TYPE_STACK:
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		return from->kind == to->kind;
	default:
		return type_same(types, to, from);
	}
}

static bool incompatible(struct checker *checker, const struct node *node)
{
	check_error(checker, &node->place, D_OP_INCOMPAT,
		    "operands have incompatible types: \"%s\" %s \"%s\"",
		    node_type_name(checker, node->binary.left),
		    op_name(node->op),
		    node_type_name(checker, node->binary.right));
	return false;
}

static bool array_or_function(struct checker *checker, const struct node *node,
			      const struct node *operand)
{
	check_error(checker, &node->place, D_OP_ARRFUN,
		    "operator %s may not be applied to operand of type \"%s\"",
		    op_name(node->op), node_type_name(checker, operand));
	return false;
}

/* (char *)s of a string s */
static bool is_cast_string(struct checker *checker, const struct node *node)
{
	struct types *types = checker_types(checker);
	bool is_cast = node->kind == NODE_CAST &&
		       type_is_stringlike(types, node->type);

	while (node->kind == NODE_CAST)
		node = node->cast.operand;
	return is_cast && node->type && type_is_string(types, node->type);
}

/* The type that a variable takes from its first value; NULL: none. */
static struct type *type_to_keep(struct checker *checker,
				 const struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *right = node->binary.right;
	struct type *type = type_strip(types, right->type);

	if (type_is_char_array(types, type) ||
	    (node->binary.left->variable.ident->kind == IDENT_ARRAY &&
	     is_cast_string(checker, right)))
		return checker_base(checker, BASE_STRING);
	if (type->kind == TYPE_ARRAY && right->kind == NODE_VARIABLE &&
	    check_array_decay(checker, right))
		return check_decay(checker, type);
	if (type->kind == TYPE_ARRAY || type->kind == TYPE_FUNCTION) {
		array_or_function(checker, node, right);
		return NULL;
	}
	if (type->kind == TYPE_VOID && !right->is_action) {
		incompatible(checker, node);
		return NULL;
	}
	/* what came out of user memory points into it */
	if (type->kind == TYPE_POINTER && right->is_user && !type->is_user)
		return type_user_pointer(types, type->target);
	return type_unqualified(right->type);
}

/*
 * A pointer variable holds scratch addresses or others, not both: a read
 * through it must know which memory to use.  0 fits both.
 */
static bool check_scratch(struct checker *checker, struct ident *ident,
			  const struct node *node)
{
	const struct node *right = node->binary.right;
	struct types *types = checker_types(checker);

	if (node_is_null_constant(right) ||
	    type_strip(types, ident->type)->kind != TYPE_POINTER)
		return true;
	if (!ident->knows_scratch)
		ident->is_scratch = right->is_scratch;
	ident->knows_scratch = true;
	if (ident->is_scratch == right->is_scratch)
		return true;
	check_error(
		checker, &node->place, D_ALLOCA_INCOMPAT,
		"%s: cannot reuse the same identifier for both alloca and non-alloca allocations",
		ident_display_name(checker_arena(checker), ident));
	return false;
}

/*
 * c = curpsinfo: the variable keeps what is translated, and knows how.  One
 * that holds something else cannot hold that, too.
 */
static bool keep_translation(struct checker *checker, struct node *node)
{
	struct node *right = node->binary.right;
	const struct node *left = node->binary.left;
	struct ident *ident = left->kind == NODE_VARIABLE &&
					      left->variable.ident->kind ==
						      IDENT_VARIABLE
				      ? left->variable.ident
				      : NULL;

	if (!ident || right->kind != NODE_XLATE ||
	    (ident->translation ? ident->translation->cast.translator !=
					  right->cast.translator
				: ident->type != NULL)) {
		check_error(
			checker, &right->place, D_CG_DYN,
			"expression cannot evaluate to result of dynamic type");
		return false;
	}
	ident->translation = right;
	node->binary.right = right->cast.operand;
	return true;
}

/* Bytes that end with the clause and are known to be so many; 0: none. */
static uint32_t passing_bytes(struct checker *checker, const struct node *node)
{
	struct types *types = checker_types(checker);

	while (node->kind == NODE_CAST)
		node = node->cast.operand;
	if (node->type && type_is_string(types, node->type))
		return (uint32_t)type_size(types, node->type) + 1;
	if (node->kind != NODE_CALL || !node->call.function ||
	    !node->call.function->kept_size)
		return 0;
	const struct node *size =
		call_argument(node, node->call.function->kept_size - 1u);

	return node_is_integer_constant(size) && size->integer.value < KEPT
		       ? (uint32_t)size->integer.value + 1
		       : 0;
}

/* Does the variable keep a copy of what its new value points to? */
static bool keeps_copy(struct checker *checker, const struct node *left,
		       const struct node *right)
{
	struct types *types = checker_types(checker);
	struct ident *ident = left->kind == NODE_VARIABLE ? left->variable.ident
							  : NULL;
	uint32_t size = passing_bytes(checker, right);

	if (!size || !ident || ident->kind != IDENT_VARIABLE ||
	    ident->scope == SCOPE_THIS || ident->is_scratch ||
	    type_strip(types, ident->type)->kind != TYPE_POINTER)
		return false;
	if (size > ident->keeps)
		ident->keeps = size;
	return true;
}

/* Elements of associative arrays have no room of their own. */
static bool check_element_pointer(struct checker *checker,
				  const struct node *node)
{
	struct types *types = checker_types(checker);
	const struct node *left = node->binary.left;
	const struct node *right = node->binary.right;

	if (left->kind != NODE_VARIABLE ||
	    left->variable.ident->kind != IDENT_ARRAY ||
	    type_strip(types, left->type)->kind != TYPE_POINTER ||
	    !passing_bytes(checker, right))
		return true;
	check_error(
		checker, &node->place, D_OP_INCOMPAT,
		"%s[ ] keeps pointers, and the memory that this one points to ends with the clause",
		left->variable.ident->name);
	diag_hint(
		&checker->language->diag,
		"keep the bytes: assign stringof( ) of it, and declare elements as string");
	return false;
}

static bool check_value(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *right = node->binary.right;

	if (node_is_translation(right)) {
		const struct node *xlate = translation_of(right);

		if (type_is_pointer(types, xlate->cast.to))
			return keep_translation(checker, node);
		/* A translated struct is copied whole. */
		right = node_copy(checker_arena(checker), right);
		right->type = xlate->cast.to;
		node->binary.right = right;
		return true;
	}
	return check_not_dynamic(checker, op_name(node->op), right);
}

/* 0 stored to an element or thread-local variable frees it, even a struct. */
static bool frees(struct types *types, const struct node *left,
		  const struct node *right)
{
	struct type *type = type_strip(types, left->type);

	return left->kind == NODE_VARIABLE &&
	       (left->variable.ident->kind == IDENT_ARRAY ||
		left->variable.ident->scope == SCOPE_SELF) &&
	       (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION) &&
	       node_is_null_constant(right);
}

static bool is_spelled_null(const struct node *node)
{
	return node_is_null_constant(node) && node->integer.spelling &&
	       !strcmp(node->integer.spelling, "NULL");
}

/*
 * x = NULL does not say whether x holds pointers or numbers.  It can be used
 * as a pointer, until a number is assigned; both have 8 bytes.
 */
static void settle_null(struct checker *checker, struct ident *ident,
			struct node *left, const struct node *right)
{
	if (is_spelled_null(right))
		return;
	ident->is_only_null = false;
	if (type_is_integer(checker_types(checker), right->type))
		ident->type = left->type = checker_base(checker, BASE_LONG);
}

static struct node *check_store(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *left = node->binary.left, *right = node->binary.right;
	struct ident *ident = left->kind == NODE_VARIABLE ? left->variable.ident
							  : NULL;

	if (ident && ident->is_only_null)
		settle_null(checker, ident, left, right);
	if (ident && !ident->type) {
		struct type *any = type_pointer(types, checker_base(checker,
								    BASE_VOID));

		ident->is_only_null = is_spelled_null(right);
		ident->type = ident->is_only_null ? any
						  : type_to_keep(checker, node);
		if (!ident->type)
			return NULL;
		left->type = ident->type;
		infer_first(checker, ident, right);
	} else {
		struct type *type = type_strip(types, left->type);

		if (type->kind == TYPE_ARRAY || type->kind == TYPE_FUNCTION) {
			array_or_function(checker, node, left);
			return NULL;
		}
		if (!frees(types, left, right) &&
		    !check_assignable(checker, left->type, right)) {
			incompatible(checker, node);
			return NULL;
		}
		if (ident) {
			infer_more(checker, ident, right);
			left->type = ident->type;
		}
	}
	if (!check_element_pointer(checker, node))
		return NULL;
	if (keeps_copy(checker, left, right))
		node->keeps_copy = true;
	else if (ident && !check_scratch(checker, ident, node))
		return NULL;
	if (ident && call_has_flag(right, FUNCTION_LATER))
		ident->takes_later = true;
	node->type = type_unqualified(left->type);
	node->is_scratch = right->is_scratch && !node->keeps_copy;
	return node;
}

static struct node *check_compound(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *left = node->binary.left, *right = node->binary.right;
	const char *op = op_name(node->op);
	bool integers = type_is_integer(types, left->type) &&
			type_is_integer(types, right->type);
	bool is_additive = node->op == OP_ADD_ASSIGN ||
			   node->op == OP_SUBTRACT_ASSIGN;

	if (is_additive && !integers) {
		struct type *pointer = type_strip(types, left->type);

		if (pointer->kind != TYPE_POINTER ||
		    !type_is_integer(types, right->type)) {
			incompatible(checker, node);
			return NULL;
		}
		if (!type_size(types, pointer->target))
			return check_error(
				checker, &node->place, D_OP_VFPTR,
				"operator %s requires left-hand scalar operand of known size",
				op);
	} else if (!integers) {
		bool is_arith = node->op == OP_MULTIPLY_ASSIGN ||
				node->op == OP_DIVIDE_ASSIGN;

		return check_error(checker, &node->place,
				   is_arith ? D_OP_ARITH : D_OP_INT,
				   "operator %s requires operands of %s type",
				   op, is_arith ? "arithmetic" : "integral");
	}
	if ((node->op == OP_DIVIDE_ASSIGN || node->op == OP_MODULO_ASSIGN) &&
	    node_is_null_constant(right))
		return check_error(checker, &node->place, D_DIV_ZERO,
				   "expression contains division by zero");
	if (left->kind == NODE_VARIABLE) {
		struct ident *ident = left->variable.ident;

		if (node->op != OP_SHIFT_LEFT_ASSIGN &&
		    node->op != OP_SHIFT_RIGHT_ASSIGN)
			infer_more(checker, ident, right);
		left->type = ident->type;
	}
	node->type = type_unqualified(left->type);
	node->is_scratch = left->is_scratch;
	return node;
}

struct node *check_assignment(struct checker *checker, struct node *node)
{
	struct node *left = node->binary.left, *right = node->binary.right;
	enum name_use use = node->op == OP_ASSIGN ? USE_ASSIGN : USE_MODIFY;

	for (const struct node *inner = left;; inner = inner->binary.left) {
		if (inner->kind == NODE_AGGREGATION)
			return check_aggregation_assign(checker, node);
		if (inner->kind != NODE_BINARY || inner->op != OP_INDEX)
			break;
	}
	left = left->kind == NODE_NAME ? check_name(checker, left, use)
				       : check_operand(checker, left);
	if (!left)
		return NULL;
	left->is_checked = true;
	node->binary.left = left;
	if (left->type) {
		if (!check_not_dynamic(checker, op_name(node->op), left) ||
		    !check_lvalue(checker, node->op, left))
			return NULL;
		right = check_enumerator(checker, right, left->type, node->op);
		if (!right)
			return NULL;
	}
	right = check_operand(checker, right);
	if (!right)
		return NULL;
	node->binary.right = right;
	if (!left->type) /* x = (x = 1) */
		left->type = left->variable.ident->type;
	node->attr = attr_min(left->attr, right->attr);
	if (!check_value(checker, node))
		return NULL;
	return use == USE_ASSIGN ? check_store(checker, node)
				 : check_compound(checker, node);
}
