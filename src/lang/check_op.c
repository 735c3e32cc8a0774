/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators: which operands they take and what type they yield.
 *
 * D has no integer promotion.  The type of an arithmetic or bitwise operation
 * is that of the operand of higher rank, rank being width in bits plus one
 * when unsigned: char + char is char, and of equal widths unsigned wins.
 * Enums count as int.  Shifts have the type of their left operand,
 * comparisons and logic are int.
 *
 * Strings compare by content when one side is `string`; two char * compare as
 * addresses.  Pointers are compatible with pointers to the same type, with
 * void * and with the constant 0, and with no other integer.
 */
#include "lang/check.h"

struct type *type_unqualified(struct type *type)
{
	while (type->kind == TYPE_CONST || type->kind == TYPE_VOLATILE ||
	       type->kind == TYPE_RESTRICT)
		type = type->target;
	return type;
}

struct type *check_decay(struct checker *checker, struct type *type)
{
	struct types *types = checker_types(checker);
	struct type *stripped = type_strip(types, type);

	if (stripped->kind == TYPE_ARRAY)
		return type_pointer(types, stripped->target);
	if (stripped->kind == TYPE_FUNCTION)
		return type_pointer(types, stripped);
	return type_unqualified(type);
}

static uint64_t rank(struct types *types, struct type *type)
{
	return type_size(types, type) * 8 + !type_is_signed(types, type);
}

struct type *check_promote(struct checker *checker, struct type *a,
			   struct type *b)
{
	struct types *types = checker_types(checker);

	if (type_strip(types, a)->kind == TYPE_ENUM)
		a = checker_base(checker, BASE_INT);
	if (type_strip(types, b)->kind == TYPE_ENUM)
		b = checker_base(checker, BASE_INT);
	return type_unqualified(rank(types, a) >= rank(types, b) ? a : b);
}

bool check_not_array(struct checker *checker, const struct node *node)
{
	if (node->kind != NODE_VARIABLE ||
	    !type_is_dynamic(checker_types(checker), node->type))
		return true;
	check_error(checker, &node->place, D_IDENT_BADREF,
		    "%s '%s' may not be referenced as scalar",
		    ident_kind_name(node->variable.ident),
		    node->variable.ident->name);
	return false;
}

bool check_not_dynamic(struct checker *checker, const char *op,
		       const struct node *node)
{
	if (!check_not_array(checker, node))
		return false;
	if (!type_is_dynamic(checker_types(checker), node->type))
		return true;
	check_error(checker, &node->place, D_OP_DYN,
		    "operator %s operands cannot be of dynamic type", op);
	return false;
}

static bool is_integer(struct checker *checker, const struct node *node)
{
	return type_is_integer(checker_types(checker), node->type);
}

bool check_is_string_operand(struct checker *checker, const struct node *node)
{
	return type_is_string(checker_types(checker), node->type);
}

/* A pointer or an array, but not a string. */
static bool is_address(struct checker *checker, const struct node *node)
{
	return !check_is_string_operand(checker, node) &&
	       type_is_pointer(checker_types(checker), node->type);
}

static struct node *incompatible(struct checker *checker,
				 const struct node *node)
{
	check_error(checker, &node->place, D_OP_INCOMPAT,
		    "operands have incompatible types: \"%s\" %s \"%s\"",
		    node_type_name(checker, node->binary.left),
		    op_name(node->op),
		    node_type_name(checker, node->binary.right));
	hint_operands(checker, node);
	return NULL;
}

const struct node *node_root(const struct node *node)
{
	for (;;) {
		if (node->kind == NODE_MEMBER && node->op == OP_DOT)
			node = node->member.object;
		else if (node->kind == NODE_BINARY && node->op == OP_INDEX &&
			 node->binary.left->type->kind == TYPE_ARRAY)
			node = node->binary.left;
		else
			return node;
	}
}

bool check_array_address(const struct node *node)
{
	const struct node *root = node_root(node);
	struct ident *ident = root->kind == NODE_VARIABLE ? root->variable.ident
							  : NULL;

	if (!ident)
		return true;
	if (ident->kind != IDENT_VARIABLE || ident->scope == SCOPE_SELF ||
	    ident->builtin || !ident->type || root == node)
		return false;
	ident->has_address = true;
	return true;
}

/* An array that stands for the address of its first element. */
bool check_array_decay(struct checker *checker, const struct node *node)
{
	struct types *types = checker_types(checker);
	struct node first = { .kind = NODE_BINARY, .op = OP_INDEX };

	if (!node->type || type_strip(types, node->type)->kind != TYPE_ARRAY)
		return false;
	first.binary.left = (struct node *)node;
	return check_array_address(&first);
}

/* ---------------------------------------------------------------- unary */

static struct node *check_dereference(struct checker *checker,
				      struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *operand = node->unary.operand;
	struct type *type = type_strip(types, operand->type);

	if (check_is_string_operand(checker, operand)) {
		struct node *index = node_copy(checker_arena(checker), node);

		index->kind = NODE_BINARY;
		index->op = OP_INDEX;
		index->binary.left = operand;
		index->binary.right =
			node_make_integer(checker_arena(checker), 0,
					  checker_base(checker, BASE_INT),
					  &node->place);
		index->type = checker_base(checker, BASE_CHAR);
		return index;
	}
	if (type->kind != TYPE_POINTER && type->kind != TYPE_ARRAY)
		return check_error(checker, &node->place, D_DEREF_NONPTR,
				   "cannot dereference non-pointer type");

	struct type *target = type_strip(types, type->target);

	if (target->kind == TYPE_VOID)
		return check_error(checker, &node->place, D_DEREF_VOID,
				   "cannot dereference pointer to void");
	if (target->kind == TYPE_FUNCTION)
		return check_error(checker, &node->place, D_DEREF_FUNC,
				   "cannot dereference pointer to function");
	if (type_is_sou(types, target) && !type_complete(types, target))
		return check_error(
			checker, &node->place, D_OP_INCOMPLETE,
			"operator * cannot be applied to a forward declaration: no %s definition is available",
			type_name(types, type->target));
	node->type = type->target;
	node->is_lvalue = true;
	node->is_writable = true;
	node->is_user = operand->is_user || type->is_user;
	return node;
}

static struct node *check_address(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *operand = node->unary.operand;
	const struct node *root;

	if (operand->kind == NODE_SYMBOL)
		operand = check_symbol(checker, operand, true);
	else
		operand = check_operand(checker, operand);
	if (!operand)
		return NULL;
	node->unary.operand = operand;
	root = node_root(operand);
	if (operand->kind == NODE_VARIABLE || operand->kind == NODE_AGGREGATION)
		return check_error(checker, &node->place, D_ADDROF_VAR,
				   "cannot take address of dynamic variable");
	if (type_is_dynamic(types, operand->type))
		return check_error(
			checker, &node->place, D_OP_DYN,
			"operator & operands cannot be of dynamic type");
	if (operand->is_bitfield)
		return check_error(checker, &node->place, D_ADDROF_BITFIELD,
				   "cannot take address of bit-field");
	if (!operand->is_lvalue)
		return check_error(checker, &node->place, D_ADDROF_LVAL,
				   "unacceptable operand for unary & operator");
	if (root->kind == NODE_VARIABLE && !check_array_address(operand)) {
		check_error(checker, &node->place, D_ADDROF_VAR,
			    "cannot take address of dynamic variable");
		diag_hint(
			&checker->language->diag,
			"elements of global and this-> arrays have one: declare such an array and copy to it");
		return NULL;
	}
	node->type = type_pointer(types, operand->type);
	node->is_user = operand->is_user;
	node->is_scratch = operand->is_scratch;
	return node;
}

static struct node *check_increment(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *operand = node->unary.operand;
	const char *op = op_name(node->op);

	if (operand->kind == NODE_AGGREGATION) {
		check_error(
			checker, &node->place, D_AGG_FUNC,
			"@%s must be assigned the result of an aggregating function",
			operand->name.name);
		diag_hint(&checker->language->diag, "@ = count() counts");
		return NULL;
	}
	operand = operand->kind == NODE_NAME
			  ? check_name(checker, operand, USE_MODIFY)
			  : check_operand(checker, operand);
	if (!operand || !check_not_dynamic(checker, op, operand) ||
	    !check_lvalue(checker, node->op, operand))
		return NULL;
	operand->is_checked = true;
	node->unary.operand = operand;

	struct type *type = type_strip(types, operand->type);

	if (type->kind == TYPE_POINTER) {
		if (!type_size(types, type->target))
			return check_error(
				checker, &node->place, D_OP_VFPTR,
				"operator %s requires an operand of known size",
				op);
	} else if (!is_integer(checker, operand)) {
		return check_error(
			checker, &node->place, D_OP_SCALAR,
			"operator %s requires an operand of scalar type", op);
	}
	node->type = type_unqualified(operand->type);
	node->is_scratch = operand->is_scratch;
	return node;
}

/*
 * An element, self->x or this->x that is never assigned is int64_t if - + ~ or
 * !  is applied to it, as with ++.  That is the last resort: see clause.c.
 */
static bool may_be_new(const struct checker *checker, const struct node *node)
{
	const struct node *operand = node->unary.operand;

	return checker->makes_operands && node->op <= OP_COMPLEMENT &&
	       operand->kind == NODE_NAME &&
	       (operand->name.scope != SCOPE_GLOBAL || operand->name.has_keys);
}

struct node *check_unary(struct checker *checker, struct node *node)
{
	const char *op = op_name(node->op);
	struct node *operand;

	switch (node->op) {
	case OP_ADDRESS:
		return check_address(checker, node);
	case OP_PRE_INCREMENT:
	case OP_PRE_DECREMENT:
	case OP_POST_INCREMENT:
	case OP_POST_DECREMENT:
		return check_increment(checker, node);
	default:
		break;
	}
	operand = may_be_new(checker, node)
			  ? check_name(checker, node->unary.operand, USE_MODIFY)
			  : check_operand(checker, node->unary.operand);
	if (!operand || !check_not_dynamic(checker, op, operand))
		return NULL;
	operand->is_checked = true;
	node->unary.operand = operand;
	node->attr = operand->attr;
	switch (node->op) {
	case OP_DEREFERENCE:
		return check_dereference(checker, node);
	case OP_NOT:
		if (!node_is_scalar(checker, operand))
			return check_error(
				checker, &node->place, D_OP_SCALAR,
				"operator %s requires an operand of scalar type",
				op);
		node->type = checker_base(checker, BASE_INT);
		break;
	case OP_COMPLEMENT:
		if (!is_integer(checker, operand))
			return check_error(
				checker, &node->place, D_OP_INT,
				"operator %s requires an operand of integral type",
				op);
		node->type = check_promote(checker, operand->type,
					   operand->type);
		break;
	default: /* + and - */
		if (!is_integer(checker, operand))
			return check_error(
				checker, &node->place, D_OP_ARITH,
				"operator %s requires an operand of arithmetic type",
				op);
		node->type = check_promote(checker, operand->type,
					   operand->type);
		break;
	}
	return fold_unary(checker, node);
}

/* --------------------------------------------------------------- binary */

static struct node *check_integers(struct checker *checker, struct node *node,
				   enum tag tag, const char *what)
{
	struct node *left = node->binary.left, *right = node->binary.right;

	if (!is_integer(checker, left) || !is_integer(checker, right)) {
		check_error(checker, &node->place, tag,
			    "operator %s requires operands of %s type",
			    op_name(node->op), what);
		hint_operands(checker, node);
		return NULL;
	}
	node->type = node->op == OP_SHIFT_LEFT || node->op == OP_SHIFT_RIGHT
			     ? check_promote(checker, left->type, left->type)
			     : check_promote(checker, left->type, right->type);
	return fold_binary(checker, node);
}

/* The pointer type of an operand of + or -: char * for a string. */
static struct type *pointer_of(struct checker *checker, const struct node *node)
{
	if (check_is_string_operand(checker, node))
		return type_pointer(checker_types(checker),
				    checker_base(checker, BASE_CHAR));
	return is_address(checker, node) ? check_decay(checker, node->type)
					 : NULL;
}

static struct node *check_additive(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *left = node->binary.left, *right = node->binary.right;
	struct type *left_pointer = pointer_of(checker, left);
	struct type *right_pointer = pointer_of(checker, right);
	struct type *pointer = left_pointer ? left_pointer : right_pointer;

	if (pointer)
		check_array_decay(checker, left_pointer ? left : right);
	if (is_integer(checker, left) && is_integer(checker, right))
		return check_integers(checker, node, D_OP_ARITH, "arithmetic");
	if (!pointer)
		return incompatible(checker, node);
	if (left_pointer && right_pointer) {
		if (node->op != OP_SUBTRACT ||
		    !type_pointers_compatible(types, left_pointer,
					      right_pointer))
			return incompatible(checker, node);
		node->type = checker_base(checker, BASE_PTRDIFF);
	} else {
		if (!is_integer(checker, left_pointer ? right : left) ||
		    (node->op == OP_SUBTRACT && !left_pointer))
			return incompatible(checker, node);
		node->type = pointer;
	}
	struct type *target = type_strip(types, pointer)->target;

	if (type_is_void(types, target)) {
		incompatible(checker, node);
		diag_hint(&checker->language->diag,
			  "a char * counts bytes: (char *)pointer + n");
		return NULL;
	}
	if (!type_size(types, target))
		return check_error(
			checker, &node->place, D_OP_VFPTR,
			"operator %s requires left-hand scalar operand of known size",
			op_name(node->op));
	node->is_scratch = left->is_scratch || right->is_scratch;
	node->is_user = left->is_user || right->is_user;
	return node;
}

static bool are_comparable(struct checker *checker, const struct node *a,
			   const struct node *b)
{
	struct types *types = checker_types(checker);
	bool a_string = check_is_string_operand(checker, a);
	bool b_string = check_is_string_operand(checker, b);

	if (is_integer(checker, a) && is_integer(checker, b))
		return true;
	if (a_string || b_string) {
		const struct node *other = a_string ? b : a;

		return type_is_stringlike(types, other->type) ||
		       node_is_null_constant(other);
	}
	if (is_address(checker, a) && is_address(checker, b))
		return type_pointers_compatible(types,
						check_decay(checker, a->type),
						check_decay(checker,
							    b->type)) ||
		       node_is_null_constant(a) || node_is_null_constant(b);
	return (is_address(checker, a) && node_is_null_constant(b)) ||
	       (is_address(checker, b) && node_is_null_constant(a));
}

static struct node *check_comparison(struct checker *checker, struct node *node)
{
	if (!are_comparable(checker, node->binary.left, node->binary.right))
		return incompatible(checker, node);
	node->type = checker_base(checker, BASE_INT);
	return fold_binary(checker, node);
}

static bool check_is_value(struct checker *checker, enum op op,
			   const struct node *node)
{
	if (!node->is_action)
		return true;
	check_error(checker, &node->place, D_OP_ACT,
		    "operator %s operands cannot be actions", op_name(op));
	return false;
}

/* 0 && x and 1 || x are constants, since x is never evaluated. */
static struct node *decided(struct checker *checker, const struct node *node,
			    bool value)
{
	struct node *constant = node_make_integer(checker_arena(checker), value,
						  node->type, &node->place);

	constant->is_parenthesised = node->is_parenthesised;
	return constant;
}

/* && || ^^ and the comma: actions are refused by name. */
static struct node *check_logical(struct checker *checker, struct node *node)
{
	const char *op = op_name(node->op);
	struct node *left = check_node(checker, node->binary.left);
	struct node *right;

	if (!left || !check_is_value(checker, node->op, left))
		return NULL;
	right = check_node(checker, node->binary.right);
	if (!right || !check_is_value(checker, node->op, right) ||
	    !check_not_dynamic(checker, op, left) ||
	    !check_not_dynamic(checker, op, right))
		return NULL;
	node->binary.left = left;
	node->binary.right = right;
	if (node->op == OP_COMMA) {
		node->type = right->type;
		node->is_scratch = right->is_scratch;
		return node;
	}
	if (!node_is_scalar(checker, left) || !node_is_scalar(checker, right))
		return check_error(
			checker, &node->place, D_OP_SCALAR,
			"operator %s requires operands of scalar type", op);
	node->type = checker_base(checker, BASE_INT);
	if (left->kind == NODE_INTEGER &&
	    node->op == (left->integer.value ? OP_LOGICAL_OR : OP_LOGICAL_AND))
		return decided(checker, node, left->integer.value != 0);
	return fold_binary(checker, node);
}

static bool is_comparison(enum op op)
{
	return op >= OP_LESS && op <= OP_NOT_EQUAL;
}

/* Both operands, with a bare name looked up in the other side's enum. */
static bool check_operands(struct checker *checker, struct node *node)
{
	struct node **left = &node->binary.left, **right = &node->binary.right;

	if (is_comparison(node->op) && (*left)->kind == NODE_NAME &&
	    (*right)->kind != NODE_NAME) {
		*right = check_operand(checker, *right);
		if (*right)
			*left = check_enumerator(checker, *left, (*right)->type,
						 node->op);
		if (!*right || !*left)
			return false;
	}
	*left = check_operand(checker, *left);
	if (!*left)
		return false;
	if (is_comparison(node->op)) {
		*right = check_enumerator(checker, *right, (*left)->type,
					  node->op);
		if (!*right)
			return false;
	}
	*right = check_operand(checker, *right);
	return *right && check_not_array(checker, *left) &&
	       check_not_array(checker, *right);
}

struct node *check_binary(struct checker *checker, struct node *node)
{
	if (node->op >= OP_ASSIGN && node->op <= OP_SHIFT_RIGHT_ASSIGN)
		return check_assignment(checker, node);
	if (node->op == OP_INDEX)
		return check_index(checker, node);
	if (node->op == OP_COMMA ||
	    (node->op >= OP_LOGICAL_AND && node->op <= OP_LOGICAL_OR))
		return check_logical(checker, node);
	if (!check_operands(checker, node))
		return NULL;
	node->attr = attr_min(node->binary.left->attr,
			      node->binary.right->attr);
	if (is_comparison(node->op))
		return check_comparison(checker, node);
	switch (node->op) {
	case OP_ADD:
	case OP_SUBTRACT:
		return check_additive(checker, node);
	case OP_MULTIPLY:
	case OP_DIVIDE:
		return check_integers(checker, node, D_OP_ARITH, "arithmetic");
	default:
		return check_integers(checker, node, D_OP_INT, "integral");
	}
}

/* -------------------------------------------------------------- ternary */

static struct type *ternary_type(struct checker *checker, const struct node *a,
				 const struct node *b)
{
	struct types *types = checker_types(checker);
	bool a_string = check_is_string_operand(checker, a);
	bool b_string = check_is_string_operand(checker, b);

	if (is_integer(checker, a) && is_integer(checker, b))
		return check_promote(checker, a->type, b->type);
	if (a_string || b_string)
		return are_comparable(checker, a, b)
			       ? checker_base(checker, BASE_STRING)
			       : NULL;
	if ((is_address(checker, a) || is_address(checker, b)) &&
	    are_comparable(checker, a, b))
		return check_decay(checker,
				   is_address(checker, a) &&
						   !node_is_null_constant(a)
					   ? a->type
					   : b->type);
	return type_same(types, a->type, b->type) ? a->type : NULL;
}

/*
 * A constant condition chooses when the program is compiled: the result is the
 * chosen branch itself, even an action, and the other one is not checked.
 * Scripts use this for options: OPT_dump ? printf("...") : 1;
 */
static struct node *check_chosen(struct checker *checker, struct node *node,
				 const struct node *condition)
{
	struct node *branch = condition->integer.value
				      ? node->ternary.then
				      : node->ternary.otherwise;

	branch->is_parenthesised |= node->is_parenthesised;
	if (checker->statement == node)
		checker->statement = branch;
	return check_node(checker, branch);
}

struct node *check_ternary(struct checker *checker, struct node *node)
{
	struct node *condition = check_node(checker, node->ternary.condition);
	struct node *then, *otherwise;

	if (!condition)
		return NULL;
	if (condition->kind == NODE_INTEGER)
		return check_chosen(checker, node, condition);
	then = check_node(checker, node->ternary.then);
	otherwise = check_node(checker, node->ternary.otherwise);
	if (!then || !otherwise)
		return NULL;
	if (condition->is_action || then->is_action || otherwise->is_action)
		return check_error(
			checker, &node->place, D_OP_ACT,
			"action cannot be used in a conditional context");
	if (!check_not_dynamic(checker, "?:", condition) ||
	    !check_not_dynamic(checker, "?:", then) ||
	    !check_not_dynamic(checker, "?:", otherwise))
		return NULL;
	if (!node_is_scalar(checker, condition))
		return check_error(
			checker, &node->place, D_OP_SCALAR,
			"operator ?: expression must be of scalar type");
	node->type = ternary_type(checker, then, otherwise);
	if (!node->type)
		return check_error(
			checker, &node->place, D_OP_INCOMPAT,
			"operator ?: operands must have compatible types");
	node->ternary.condition = condition;
	node->ternary.then = then;
	node->ternary.otherwise = otherwise;
	node->is_scratch = then->is_scratch || otherwise->is_scratch;
	return node;
}

/* ---------------------------------------------------------------- casts */

static bool can_cast(struct checker *checker, struct type *to,
		     const struct node *from)
{
	struct types *types = checker_types(checker);

	if (type_is_void(types, to))
		return true;
	if (type_is_dynamic(types, from->type))
		return false;
	if (type_is_sou(types, to) || type_is_sou(types, from->type))
		return type_same(types, to, from->type);
	if (type_strip(types, to)->kind == TYPE_ARRAY)
		return type_same(types, to, from->type);
	if (type_is_stringlike(types, to) &&
	    type_is_stringlike(types, from->type))
		return true;
	if (type_is_string(types, to))
		return false;
	if (type_is_float(types, to))
		return type_is_float(types, from->type);
	/* is it NULL?  (int)s == 0 */
	if (type_is_integer(types, to) && type_is_string(types, from->type))
		return true;
	return type_is_scalar(types, to) &&
	       (node_is_scalar(checker, from) ||
		(type_strip(types, to)->kind == TYPE_POINTER &&
		 check_array_decay(checker, from)) ||
		type_strip(types, from->type)->kind == TYPE_FUNCTION);
}

struct node *check_cast(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *operand = check_operand(checker, node->cast.operand);

	if (!operand || !check_not_array(checker, operand))
		return NULL;
	if (!can_cast(checker, node->cast.to, operand))
		return check_error(checker, &node->place, D_CAST_INVAL,
				   "invalid cast expression: \"%s\" to \"%s\"",
				   node_type_name(checker, operand),
				   type_name(types, node->cast.to));
	node->cast.operand = operand;
	node->type = node->cast.to;
	node->attr = operand->attr;
	node->is_user = operand->is_user;
	node->is_scratch = operand->is_scratch;
	if (type_is_string(types, node->type) &&
	    !check_is_string_operand(checker, operand)) {
		node->kind = NODE_STRINGOF;
		node->unary.operand = operand;
		return node;
	}
	return fold_cast(checker, node);
}
