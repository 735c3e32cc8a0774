/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constant folding.
 *
 * A constant is 64 bits, as a register holds it at run time; both computations
 * must agree.  The type of an expression decides about signs, not about width:
 * 10 * 1000000000 is ten thousand million, of type int, and only a cast
 * truncates it.  Overflow of the 64 bits wraps.  Division by a constant zero is
 * an error even when the dividend is not constant; INT64_MIN / -1 is INT64_MIN,
 * as the machine's negation gives it.
 */
#include "lang/check.h"

uint64_t fold_truncate(struct types *types, struct type *type, uint64_t value)
{
	uint64_t bits = type_size(types, type) * 8;
	struct type *stripped = type_strip(types, type);

	if (stripped->kind == TYPE_INTEGER && stripped->is_bool)
		return value != 0;
	if (bits == 0 || bits >= 64)
		return value;

	uint64_t mask = (1ull << bits) - 1;

	value &= mask;
	if (type_is_signed(types, type) && value >> (bits - 1))
		value |= ~mask;
	return value;
}

static struct node *constant(struct checker *checker, const struct node *node,
			     uint64_t value)
{
	struct node *folded = node_make_integer(checker_arena(checker), value,
						node->type, &node->place);

	folded->attr = node->attr;
	folded->is_parenthesised = node->is_parenthesised;
	return folded;
}

struct node *fold_unary(struct checker *checker, struct node *node)
{
	const struct node *operand = node->unary.operand;

	if (operand->kind != NODE_INTEGER)
		return node;

	uint64_t value = operand->integer.value;

	switch (node->op) {
	case OP_PLUS:
		return constant(checker, node, value);
	case OP_NEGATE:
		return constant(checker, node, -value);
	case OP_COMPLEMENT:
		return constant(checker, node, ~value);
	case OP_NOT:
		return constant(checker, node, !value);
	default:
		return node;
	}
}

struct node *fold_cast(struct checker *checker, struct node *node)
{
	const struct node *operand = node->cast.operand;
	struct types *types = checker_types(checker);

	if (operand->kind != NODE_INTEGER ||
	    !(type_is_integer(types, node->type) ||
	      type_strip(types, node->type)->kind == TYPE_POINTER))
		return node;
	return constant(checker, node,
			fold_truncate(types, node->type,
				      operand->integer.value));
}

static uint64_t divide(uint64_t a, uint64_t b, bool is_signed)
{
	if (!is_signed)
		return a / b;
	return (int64_t)b == -1 ? -a : (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t modulo(uint64_t a, uint64_t b, bool is_signed)
{
	if (!is_signed)
		return a % b;
	return (int64_t)b == -1 ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t shift_right(uint64_t a, uint64_t b, bool is_signed)
{
	return is_signed ? (uint64_t)((int64_t)a >> (b & 63)) : a >> (b & 63);
}

static bool less(uint64_t a, uint64_t b, bool is_signed)
{
	return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* Signs are those of the type in which operands are compared or divided. */
static bool operate(enum op op, uint64_t a, uint64_t b, bool is_signed,
		    uint64_t *result)
{
	switch (op) {
	case OP_MULTIPLY: *result = a * b; break;
	case OP_DIVIDE: *result = divide(a, b, is_signed); break;
	case OP_MODULO: *result = modulo(a, b, is_signed); break;
	case OP_ADD: *result = a + b; break;
	case OP_SUBTRACT: *result = a - b; break;
	case OP_SHIFT_LEFT: *result = a << (b & 63); break;
	case OP_SHIFT_RIGHT: *result = shift_right(a, b, is_signed); break;
	case OP_LESS: *result = less(a, b, is_signed); break;
	case OP_LESS_EQUAL: *result = !less(b, a, is_signed); break;
	case OP_GREATER: *result = less(b, a, is_signed); break;
	case OP_GREATER_EQUAL: *result = !less(a, b, is_signed); break;
	case OP_EQUAL: *result = a == b; break;
	case OP_NOT_EQUAL: *result = a != b; break;
	case OP_AND: *result = a & b; break;
	case OP_XOR: *result = a ^ b; break;
	case OP_OR: *result = a | b; break;
	case OP_LOGICAL_AND: *result = a && b; break;
	case OP_LOGICAL_OR: *result = a || b; break;
	case OP_LOGICAL_XOR: *result = !a != !b; break;
	default: return false;
	}
	return true;
}

static bool is_shift(enum op op)
{
	return op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT;
}

struct node *fold_binary(struct checker *checker, struct node *node)
{
	const struct node *left = node->binary.left;
	const struct node *right = node->binary.right;
	struct types *types = checker_types(checker);

	if ((node->op == OP_DIVIDE || node->op == OP_MODULO) &&
	    right->kind == NODE_INTEGER && right->integer.value == 0)
		return check_error(checker, &node->place, D_DIV_ZERO,
				   "expression contains division by zero");
	if (left->kind != NODE_INTEGER || right->kind != NODE_INTEGER)
		return node;
	if (!type_is_integer(types, left->type) ||
	    !type_is_integer(types, right->type))
		return node;

	struct type *common = is_shift(node->op)
				      ? left->type
				      : check_promote(checker, left->type,
						      right->type);
	uint64_t result;

	if (!operate(node->op, left->integer.value, right->integer.value,
		     type_is_signed(types, common), &result))
		return node;
	return constant(checker, node, result);
}
