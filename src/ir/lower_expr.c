/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions: a checked tree becomes instructions that leave a value.
 *
 * Integers are 64 bits.  The type of an operation is that of its higher-ranking
 * operand (more bits, then unsigned); it decides whether comparison, division
 * and right shift are signed, and it is what trace() and keys truncate the
 * result to.  The value itself is truncated only by a cast and where it is
 * stored in a member or an array element; so `x = 3; x * 1000000000` is the
 * true product.
 *
 * Conditions are lowered to jumps (lower_condition), and become 0 or 1 only
 * where the number is needed.
 */

#include <stdarg.h>
#include <string.h>

#include "ir/lower_internal.h"

bool lower_fail(struct lower *lower, const struct node *node,
		const char *format, ...)
{
	struct lower_session *session = lower->session;
	va_list args;

	if (session->error)
		return false;
	va_start(args, format);
	session->error = arena_vprintf(session->arena, format, args);
	va_end(args);
	session->error_place = node ? node->place : lower->b.place;
	return false;
}

/* ------------------------------------------------------------------ types */

uint32_t lower_size(struct lower *lower, struct type *type)
{
	if (type_is_string(lower->types, type))
		return lower_string_capacity(lower);
	/* There is no room for what is larger anyway. */
	uint64_t size = type_size(lower->types, type);

	return size > INT32_MAX ? INT32_MAX & ~7u : (uint32_t)size;
}

bool type_in_register(struct lower *lower, struct type *type)
{
	struct type *plain = type_strip(lower->types, type);
	uint64_t size = type_size(lower->types, plain);

	switch (plain->kind) {
	case TYPE_INTEGER:
	case TYPE_ENUM:
	case TYPE_FLOAT:
	case TYPE_POINTER:
	case TYPE_SYMADDR:
		return size == 1 || size == 2 || size == 4 || size == 8;
	case TYPE_FUNCTION:
		return true;
	default:
		return false;
	}
}

struct numeric numeric_of(struct lower *lower, struct type *type)
{
	struct type *plain = type_strip(lower->types, type);
	uint64_t size = type_size(lower->types, plain);

	if (plain->kind != TYPE_INTEGER && plain->kind != TYPE_ENUM &&
	    plain->kind != TYPE_FLOAT)
		return (struct numeric){ 8, false };
	if (size != 1 && size != 2 && size != 4)
		size = 8;
	return (struct numeric){ (unsigned)size, plain->is_signed };
}

struct numeric numeric_promote(struct numeric a, struct numeric b)
{
	unsigned rank_a = a.size * 2 + !a.is_signed;
	unsigned rank_b = b.size * 2 + !b.is_signed;

	return rank_a >= rank_b ? a : b;
}

static bool is_bool(struct lower *lower, struct type *type)
{
	struct type *plain = type_strip(lower->types, type);

	return plain->kind == TYPE_INTEGER && plain->is_bool;
}

bool type_keeps_word(struct lower *lower, struct type *type)
{
	enum type_kind kind = type_strip(lower->types, type)->kind;

	return type_in_register(lower, type) && !is_bool(lower, type) &&
	       (kind == TYPE_INTEGER || kind == TYPE_ENUM);
}

ir_reg lower_convert(struct lower *lower, ir_reg reg, struct type *from,
		     struct type *to)
{
	struct numeric numeric = numeric_of(lower, to);

	if (!type_in_register(lower, to))
		return reg;
	if (is_bool(lower, to))
		return from && is_bool(lower, from)
			       ? reg
			       : ir_binary_imm(&lower->b, IR_NE, reg, 0);
	return ir_extend(&lower->b, reg, numeric.size, numeric.is_signed);
}

/* ----------------------------------------------------------------- values */

struct value value_of_reg(struct type *type, ir_reg reg)
{
	return (struct value){ .kind = VALUE_SCALAR, .type = type, .reg = reg };
}

bool value_scalar(struct lower *lower, const struct node *node,
		  const struct value *value, ir_reg *reg)
{
	if (value->kind == VALUE_SCALAR) {
		*reg = value->reg;
		return true;
	}
	/* Arrays of the kernel stand for their address. */
	if (value->kind == VALUE_MEMORY && mem_is_addressed(&value->mem)) {
		*reg = mem_address(lower, &value->mem);
		return true;
	}
	struct value bytes = *value;

	if (value->kind == VALUE_PROBE_NAME &&
	    !value_to_string(lower, node, &bytes))
		return false;
	if (bytes.kind == VALUE_MEMORY && bytes.type &&
	    type_is_pointer(lower->types, bytes.type) &&
	    lower_own_address(lower, &bytes.mem, reg))
		return true;
	if (bytes.kind == VALUE_MEMORY && bytes.type &&
	    (type_is_string(lower->types, bytes.type) ||
	     type_is_pointer(lower->types, bytes.type))) {
		*reg = lower_scratch_copy(lower, &bytes);
		return true;
	}
	return lower_fail(lower, node, "this has no single value");
}

bool value_has_address(const struct value *value)
{
	return value->kind == VALUE_MEMORY && mem_is_addressed(&value->mem);
}

bool lower_scalar(struct lower *lower, const struct node *node, ir_reg *reg)
{
	struct value value = { 0 };

	return lower_expression(lower, node, &value) &&
	       value_scalar(lower, node, &value, reg);
}

bool value_materialize(struct lower *lower, struct value *value)
{
	struct ir_builder *b = &lower->b;
	uint32_t size = value->capacity;
	struct ir_mem object;

	switch (value->kind) {
	case VALUE_PROBE_NAME:
		return value_to_string(lower, NULL, value);
	case VALUE_SCALAR:
		size = numeric_of(lower, value->type).size;
		object = ir_object(b, size, "value");
		ir_store(b, object, value->reg, size);
		break;
	case VALUE_MEMORY:
		if (!mem_is_addressed(&value->mem))
			return true;
		object = ir_object(b, size, "value");
		mem_read(lower, object, &value->mem, size);
		break;
	default:
		return lower_fail(lower, NULL, "there is no value here");
	}
	value->kind = VALUE_MEMORY;
	value->mem = object;
	value->capacity = size;
	return true;
}

ir_reg lower_argument(struct lower *lower, uint32_t n)
{
	const struct lower_group *group = lower->group;

	if (n >= sizeof(lower->arguments) / sizeof(lower->arguments[0]))
		return ir_const(&lower->b, 0);
	if (!lower->arguments[n])
		lower->arguments[n] = group->argument && !lower->in_error_clause
					      ? group->argument(lower, n)
					      : ir_const(&lower->b, 0);
	return lower->arguments[n];
}

struct lower_cache lower_cache_save(const struct lower *lower)
{
	struct lower_cache cache;

	memcpy(cache.arguments, lower->arguments, sizeof(cache.arguments));
	return cache;
}

void lower_cache_restore(struct lower *lower, const struct lower_cache *cache)
{
	memcpy(lower->arguments, cache->arguments, sizeof(cache->arguments));
}

/* ------------------------------------------------------------- arithmetic */

static uint64_t pointed_size(struct lower *lower, struct type *pointer)
{
	struct type *plain = type_strip(lower->types, pointer);
	uint64_t size = 0;

	if (plain->kind == TYPE_POINTER || plain->kind == TYPE_ARRAY)
		size = type_size(lower->types, plain->target);
	return size ? size : 1;
}

static bool points(struct lower *lower, struct type *type)
{
	enum type_kind kind = type_strip(lower->types, type)->kind;

	return kind == TYPE_POINTER || kind == TYPE_ARRAY;
}

static ir_reg pointer_arithmetic(struct lower *lower, enum op op,
				 struct operand x, struct operand y)
{
	struct ir_builder *b = &lower->b;

	if (op == OP_SUBTRACT && points(lower, x.type) &&
	    points(lower, y.type)) {
		ir_reg bytes = ir_binary(b, IR_SUB, x.reg, y.reg);

		return ir_binary_imm(b, IR_SDIV, bytes,
				     (int64_t)pointed_size(lower, x.type));
	}
	if (!points(lower, x.type)) {
		struct operand swap = x;

		x = y;
		y = swap;
	}

	ir_reg step = ir_binary_imm(b, IR_MUL, y.reg,
				    (int64_t)pointed_size(lower, x.type));

	return ir_binary(b, op == OP_SUBTRACT ? IR_SUB : IR_ADD, x.reg, step);
}

static bool integer_op(enum op op, bool is_signed, enum ir_op *result)
{
	switch (op) {
	case OP_ADD: *result = IR_ADD; break;
	case OP_SUBTRACT: *result = IR_SUB; break;
	case OP_MULTIPLY: *result = IR_MUL; break;
	case OP_DIVIDE: *result = is_signed ? IR_SDIV : IR_UDIV; break;
	case OP_MODULO: *result = is_signed ? IR_SMOD : IR_UMOD; break;
	case OP_AND: *result = IR_AND; break;
	case OP_OR: *result = IR_OR; break;
	case OP_XOR: *result = IR_XOR; break;
	case OP_SHIFT_LEFT: *result = IR_SHL; break;
	case OP_SHIFT_RIGHT: *result = is_signed ? IR_ASR : IR_LSR; break;
	default: return false;
	}
	return true;
}

bool lower_arithmetic(struct lower *lower, const struct node *node, enum op op,
		      struct operand x, struct operand y, ir_reg *out)
{
	struct ir_builder *b = &lower->b;
	struct numeric from_x = numeric_of(lower, x.type);
	struct numeric from_y = numeric_of(lower, y.type);
	bool shifts = op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT;
	struct numeric as = shifts ? from_x : numeric_promote(from_x, from_y);
	enum ir_op code;

	if ((op == OP_ADD || op == OP_SUBTRACT) &&
	    (points(lower, x.type) || points(lower, y.type))) {
		*out = pointer_arithmetic(lower, op, x, y);
		return true;
	}
	if (!integer_op(op, as.is_signed, &code))
		return lower_fail(lower, node, "operator %s cannot run yet",
				  op_name(op));
	if (op == OP_DIVIDE || op == OP_MODULO)
		ir_fault_if(b, ir_binary_imm(b, IR_EQ, y.reg, 0), FAULT_DIVZERO,
			    0);
	*out = ir_binary(b, code, x.reg, y.reg);
	return true;
}

static bool comparison_op(enum op op, bool is_signed, enum ir_op *result)
{
	switch (op) {
	case OP_EQUAL: *result = IR_EQ; break;
	case OP_NOT_EQUAL: *result = IR_NE; break;
	case OP_LESS: *result = is_signed ? IR_SLT : IR_ULT; break;
	case OP_LESS_EQUAL: *result = is_signed ? IR_SLE : IR_ULE; break;
	case OP_GREATER: *result = is_signed ? IR_SGT : IR_UGT; break;
	case OP_GREATER_EQUAL: *result = is_signed ? IR_SGE : IR_UGE; break;
	default: return false;
	}
	return true;
}

static bool lower_comparison(struct lower *lower, const struct node *node,
			     ir_reg *result)
{
	const struct node *left = node->binary.left;
	const struct node *right = node->binary.right;
	struct numeric as;
	enum ir_op code;
	ir_reg x, y;

	if (is_string_comparison(lower, node))
		return lower_string_comparison(lower, node, result);
	if (!lower_scalar(lower, left, &x) || !lower_scalar(lower, right, &y))
		return false;
	as = numeric_promote(numeric_of(lower, left->type),
			     numeric_of(lower, right->type));
	if (!comparison_op(node->op, as.is_signed, &code))
		return lower_fail(lower, node, "this is not a comparison");
	*result = ir_binary(&lower->b, code, x, y);
	return true;
}

/* ------------------------------------------------------------- conditions */

static bool is_binary(const struct node *node, enum op op)
{
	return node->kind == NODE_BINARY && node->op == op;
}

static void bind(struct lower *lower, struct binding *binding,
		 const struct node *node)
{
	binding->ident = node->let.ident;
	binding->typed = lower_typed_root(lower, node->let.value);
	binding->outer = lower->bindings;
	lower->bindings = binding;
}

bool lower_condition(struct lower *lower, const struct node *node,
		     struct ir_block *yes, struct ir_block *no)
{
	struct ir_builder *b = &lower->b;

	if (node->kind == NODE_UNARY && node->op == OP_NOT)
		return lower_condition(lower, node->unary.operand, no, yes);
	if (is_binary(node, OP_LOGICAL_AND) || is_binary(node, OP_LOGICAL_OR)) {
		bool is_and = node->op == OP_LOGICAL_AND;
		struct ir_block *right = ir_block_new(b, is_and ? "and" : "or");

		if (!lower_condition(lower, node->binary.left,
				     is_and ? right : yes, is_and ? no : right))
			return false;
		ir_enter(b, right);

		/* The right side may not run. */
		struct lower_cache cache = lower_cache_save(lower);
		bool good = lower_condition(lower, node->binary.right, yes, no);

		lower_cache_restore(lower, &cache);
		return good;
	}

	ir_reg reg;

	if (!lower_scalar(lower, node, &reg))
		return false;
	ir_branch(b, reg, yes, no);
	return true;
}

static void set_constant(struct lower *lower, ir_reg reg, int64_t value)
{
	struct ir_insn *insn = ir_emit(&lower->b, IR_CONST);

	insn->dst = reg;
	insn->imm = value;
}

/* && and || as a number. */
static bool lower_logical(struct lower *lower, const struct node *node,
			  ir_reg *result)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *yes = ir_block_new(b, "true"),
			*no = ir_block_new(b, "false"),
			*join = ir_block_new(b, "join");

	*result = ir_reg_new(b->program);
	if (!lower_condition(lower, node, yes, no))
		return false;
	ir_enter(b, yes);
	set_constant(lower, *result, 1);
	ir_goto(b, join);
	ir_enter(b, no);
	set_constant(lower, *result, 0);
	ir_enter(b, join);
	return true;
}

static bool lower_logical_xor(struct lower *lower, const struct node *node,
			      ir_reg *result)
{
	struct ir_builder *b = &lower->b;
	ir_reg x, y;

	if (!lower_scalar(lower, node->binary.left, &x) ||
	    !lower_scalar(lower, node->binary.right, &y))
		return false;
	*result = ir_binary(b, IR_XOR, ir_binary_imm(b, IR_NE, x, 0),
			    ir_binary_imm(b, IR_NE, y, 0));
	return true;
}

static bool lower_arm(struct lower *lower, const struct node *arm,
		      struct type *type, ir_reg result, struct ir_mem object)
{
	struct lower_cache cache = lower_cache_save(lower);
	struct value value = { 0 };
	bool good = true;
	ir_reg reg;

	if (!lower_expression(lower, arm, &value))
		return false;
	if (object.space) {
		struct location to = { .type = type, .mem = object };

		good = location_store(lower, arm, &to, &value);
	} else if (result) {
		good = value_scalar(lower, arm, &value, &reg);
		if (good)
			ir_move(&lower->b, result, reg);
	}
	lower_cache_restore(lower, &cache);
	return good;
}

static bool lower_ternary(struct lower *lower, const struct node *node,
			  struct value *value)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *yes = ir_block_new(b, "then"),
			*no = ir_block_new(b, "else"),
			*join = ir_block_new(b, "join");
	struct ir_mem object = { .space = IR_NOWHERE };
	ir_reg result = 0;

	if (type_is_string(lower->types, node->type))
		return lower_string_ternary(lower, node, value);
	if (type_in_register(lower, node->type))
		result = ir_reg_new(b->program);
	else if (!type_is_void(lower->types, node->type))
		object = ir_object(b, lower_size(lower, node->type), "choice");

	if (!lower_condition(lower, node->ternary.condition, yes, no))
		return false;
	ir_enter(b, yes);
	if (!lower_arm(lower, node->ternary.then, node->type, result, object))
		return false;
	ir_goto(b, join);
	ir_enter(b, no);
	if (!lower_arm(lower, node->ternary.otherwise, node->type, result,
		       object))
		return false;
	ir_enter(b, join);
	if (result)
		*value = value_of_reg(node->type, result);
	else if (object.space)
		*value = (struct value){
			.kind = VALUE_MEMORY,
			.type = node->type,
			.mem = object,
			.capacity = lower_size(lower, node->type),
		};
	return true;
}

/* -------------------------------------------------------------- operators */

static bool lower_unary_number(struct lower *lower, const struct node *node,
			       ir_reg *result)
{
	struct ir_builder *b = &lower->b;
	ir_reg x;

	if (!lower_scalar(lower, node->unary.operand, &x))
		return false;
	if (node->op == OP_NOT)
		*result = ir_binary_imm(b, IR_EQ, x, 0);
	else if (node->op == OP_PLUS)
		*result = x;
	else
		*result = ir_unary(b, node->op == OP_NEGATE ? IR_NEG : IR_NOT,
				   x);
	return true;
}

static bool lower_address_of(struct lower *lower, const struct node *node,
			     ir_reg *result)
{
	struct location location = { 0 };
	bool untyped = lower->untyped;

	/* The result is a number that may be computed with. */
	lower->untyped = true;

	bool good = lower_location(lower, node->unary.operand, &location);

	lower->untyped = untyped;
	if (!good)
		return false;
	if (!location.reg && !location.element &&
	    lower_own_address(lower, &location.mem, result))
		return true;
	if (location.reg || !mem_is_addressed(&location.mem))
		return lower_fail(
			lower, node,
			"only elements of global and this-> arrays have an address");
	*result = mem_address(lower, &location.mem);
	return true;
}

static bool lower_place_value(struct lower *lower, const struct node *node,
			      struct value *value)
{
	struct location location = { 0 };

	return lower_location(lower, node, &location) &&
	       location_load(lower, node, &location, value);
}

static bool lower_unary(struct lower *lower, const struct node *node,
			struct value *value)
{
	ir_reg reg = 0;

	switch (node->op) {
	case OP_DEREFERENCE:
		return lower_place_value(lower, node, value);
	case OP_PRE_INCREMENT:
	case OP_PRE_DECREMENT:
	case OP_POST_INCREMENT:
	case OP_POST_DECREMENT:
		return lower_increment(lower, node, value);
	case OP_ADDRESS:
		if (!lower_address_of(lower, node, &reg))
			return false;
		break;
	default:
		if (!lower_unary_number(lower, node, &reg))
			return false;
	}
	*value = value_of_reg(node->type, reg);
	return true;
}

static bool lower_binary_number(struct lower *lower, const struct node *node,
				ir_reg *result)
{
	struct operand x = { .type = node->binary.left->type };
	struct operand y = { .type = node->binary.right->type };
	enum ir_op code;

	if (comparison_op(node->op, false, &code))
		return lower_comparison(lower, node, result);
	if (node->op == OP_LOGICAL_AND || node->op == OP_LOGICAL_OR)
		return lower_logical(lower, node, result);
	if (node->op == OP_LOGICAL_XOR)
		return lower_logical_xor(lower, node, result);
	return lower_scalar(lower, node->binary.left, &x.reg) &&
	       lower_scalar(lower, node->binary.right, &y.reg) &&
	       lower_arithmetic(lower, node, node->op, x, y, result);
}

static bool lower_binary(struct lower *lower, const struct node *node,
			 struct value *value)
{
	struct value ignored = { 0 };
	ir_reg reg = 0;

	if (node->op == OP_INDEX)
		return lower_place_value(lower, node, value);
	if (node->op == OP_COMMA)
		return lower_expression(lower, node->binary.left, &ignored) &&
		       lower_expression(lower, node->binary.right, value);
	if (node->op == OP_ASSIGN || op_of_assignment(node->op) != OP_NONE)
		return lower_assignment(lower, node, value);
	if (!lower_binary_number(lower, node, &reg))
		return false;
	*value = value_of_reg(node->type, reg);
	return true;
}

/*
 * A string as a number: 0 if it is NULL.  Other systems have an address there,
 * but scripts only test whether it is 0.
 */
static ir_reg lower_is_string(struct lower *lower, const struct value *value)
{
	ir_reg absent = value->null;

	if (value->kind == VALUE_SCALAR)
		return ir_binary_imm(&lower->b, IR_NE, value->reg, 0);
	return absent ? ir_binary_imm(&lower->b, IR_EQ, absent, 0)
		      : ir_const(&lower->b, 1);
}

static bool lower_cast(struct lower *lower, const struct node *node,
		       struct value *value)
{
	struct type *to = node->type ? node->type : node->cast.to;
	ir_reg reg = 0;

	if (type_is_string(lower->types, to))
		return lower_string_operand(lower, node->cast.operand, value);
	if (!lower_expression(lower, node->cast.operand, value))
		return false;
	if (type_is_void(lower->types, to)) {
		*value = (struct value){ .kind = VALUE_NONE, .type = to };
		return true;
	}
	if (type_is_integer(lower->types, to) &&
	    type_is_string(lower->types, node->cast.operand->type)) {
		*value = value_of_reg(to, lower_is_string(lower, value));
		return true;
	}
	/* Memory under another pointer type, or the same struct. */
	if (value->kind == VALUE_MEMORY && !mem_is_addressed(&value->mem) &&
	    (points(lower, to) || !type_in_register(lower, to))) {
		value->type = to;
		return true;
	}
	if (value->kind == VALUE_MEMORY && !type_in_register(lower, to))
		return true;
	if (!value_scalar(lower, node, value, &reg))
		return false;
	*value = value_of_reg(to, lower_convert(lower, reg, value->type, to));
	return true;
}

/* ---------------------------------------------------------------- the rest */

static bool lower_variable(struct lower *lower, const struct node *node,
			   struct value *value)
{
	const struct ident *ident = node->variable.ident;
	const struct binding *binding;

	switch (ident->kind) {
	case IDENT_BUILTIN:
	case IDENT_BUILTIN_ARRAY:
		if (!ident->builtin || !ident->builtin->lower)
			return lower_fail(
				lower, node,
				"%s is not supported yet on this system",
				ident->name);
		if (!ident->builtin->lower(lower, node, value))
			return false;
		if (!value->type)
			value->type = node->type;
		return true;
	case IDENT_PARAMETER:
		binding = binding_of(lower, ident);
		if (!binding)
			return lower_fail(lower, node, "%s has no value here",
					  ident->name);
		*value = binding->value;
		return true;
	default:
		return lower_place_value(lower, node, value);
	}
}

static bool lower_call(struct lower *lower, const struct node *node,
		       const struct function *function, struct value *value)
{
	if (node->kind == NODE_CALL && node->call.defined)
		return lower_defined_call(lower, node, value);
	if (!function || !function->lower)
		return lower_fail(lower, node,
				  "%s() is not supported yet on this system",
				  function ? function->name : node->call.name);
	if (function->flags & FUNCTION_EXIT)
		lower->has_exit = true;
	if (!function->lower(lower, node, value))
		return lower_fail(lower, node, "%s() cannot run here",
				  function->name);
	if (!value->type)
		value->type = node->type;
	return true;
}

static bool lower_let(struct lower *lower, const struct node *node,
		      struct value *value)
{
	struct binding binding = { 0 };

	if (!lower_expression(lower, node->let.value, &binding.value))
		return false;
	bind(lower, &binding, node);

	bool good = lower_expression(lower, node->let.body, value);

	lower->bindings = binding.outer;
	return good;
}

static bool lower_kind(struct lower *lower, const struct node *node,
		       struct value *value)
{
	switch (node->kind) {
	case NODE_INTEGER:
		*value = value_of_reg(node->type,
				      ir_const(&lower->b,
					       (int64_t)node->integer.value));
		return true;
	case NODE_STRING:
		*value = value_of_literal(lower, node->string.bytes,
					  node->string.length);
		return true;
	case NODE_VARIABLE:
		return lower_variable(lower, node, value);
	case NODE_SYMBOL:
	case NODE_MEMBER:
		return lower_place_value(lower, node, value);
	case NODE_AGGREGATION:
		if (!node->variable.call)
			return lower_fail(lower, node,
					  "an aggregation has no value here");
		return lower_call(lower, node,
				  node->variable.call->call.function, value);
	case NODE_CALL:
		return lower_call(lower, node, node->call.function, value);
	case NODE_UNARY:
		return lower_unary(lower, node, value);
	case NODE_BINARY:
		return lower_binary(lower, node, value);
	case NODE_TERNARY:
		return lower_ternary(lower, node, value);
	case NODE_CAST:
		return lower_cast(lower, node, value);
	case NODE_STRINGOF:
		return lower_string_operand(lower, node->unary.operand, value);
	case NODE_XLATE:
		return lower_translation(lower, node, value);
	case NODE_LET:
		return lower_let(lower, node, value);
	default:
		return lower_fail(lower, node, "this cannot run yet");
	}
}

bool lower_expression(struct lower *lower, const struct node *node,
		      struct value *value)
{
	struct place place = lower->b.place;

	lower->b.place = node->place;
	*value = (struct value){ .kind = VALUE_NONE };

	bool good = lower_kind(lower, node, value);

	lower->b.place = place;
	return good;
}
