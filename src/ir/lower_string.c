/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings: bytes in memory with a capacity, copied and compared by content.
 *
 * A string-like value has one of four forms: bytes we hold (variables,
 * literals, results of functions), a char array of the kernel, an address, and
 * a name of the probe. value_to_string() converts all of them to the first;
 * nothing else distinguishes them.
 *
 * NULL is a string too: it differs from "", sorts before everything, and faults
 * when its bytes are needed.  It is held as empty bytes plus a mark: value.null
 * is a register with the mark, and variables keep it in a word after their
 * bytes.
 *
 * Names of probes are known when the program is compiled.  Comparing one with a
 * literal is a table of answers, one byte per probe, or a constant when all
 * probes of the group agree.
 */

#include <string.h>

#include "ir/lower_internal.h"

uint32_t lower_string_capacity(struct lower *lower)
{
	struct type *string = types_base(lower->types, BASE_STRING);

	return (uint32_t)type_size(lower->types, string) + 1;
}

struct value value_of_string(struct lower *lower, struct ir_mem mem,
			     uint32_t capacity)
{
	return (struct value){
		.kind = VALUE_MEMORY,
		.type = types_base(lower->types, BASE_STRING),
		.mem = mem,
		.capacity = capacity,
	};
}

struct value value_of_literal(struct lower *lower, const char *bytes,
			      size_t length)
{
	uint32_t limit = lower_string_capacity(lower);
	struct arena *arena = lower->session->arena;

	length = strnlen(bytes, length);
	if (length > limit - 1)
		length = limit - 1;

	/* Zeros up to the next word belong to it. */
	uint32_t capacity = (uint32_t)length + 1;
	uint32_t padded = round_up(capacity, 8);
	char *copy = arena_alloc(arena, padded);

	memcpy(copy, bytes, length);

	struct value value = value_of_string(
		lower, ir_rodata(lower->b.program, copy, padded, 8), capacity);

	value.literal = copy;
	return value;
}

/* ---------------------------------------------------------- probe names */

const struct fact_probe lower_error_probe = {
	.id = 3,
	.provider = "dtrace",
	.module = "",
	.function = "",
	.name = "ERROR",
};

static uint32_t probe_count(const struct lower *lower)
{
	return lower->in_error_clause ? 1 : lower->group->nprobes;
}

/* A name of the probe, truncated like every string. */
static const char *probe_text(struct lower *lower, uint32_t i,
			      enum probe_name which)
{
	const struct fact_probe *probe = lower->in_error_clause
						 ? &lower_error_probe
						 : &lower->group->probes[i];
	const char *text = NULL;

	switch (which) {
	case PROBE_PROVIDER: text = probe->provider; break;
	case PROBE_MODULE: text = probe->module; break;
	case PROBE_FUNCTION: text = probe->function; break;
	case PROBE_NAME: text = probe->name; break;
	}
	size_t limit = lower_string_capacity(lower) - 1;

	if (text && strlen(text) > limit)
		return arena_strndup(lower->session->arena, text, limit);
	return text ? text : "";
}

static bool probes_agree(struct lower *lower, enum probe_name which)
{
	for (uint32_t i = 1; i < probe_count(lower); i++)
		if (strcmp(probe_text(lower, i, which),
			   probe_text(lower, 0, which)))
			return false;
	return true;
}

/* A table with a row of `stride` bytes per probe, at the row that fired. */
static struct ir_mem probe_row(struct lower *lower, const void *table,
			       uint32_t stride)
{
	uint32_t count = probe_count(lower);
	struct ir_mem mem = ir_rodata(lower->b.program, table, count * stride,
				      stride % 8 ? 1 : 8);

	mem.base = ir_binary_imm(&lower->b, IR_MUL, lower->probe_index, stride);
	mem.bound = (count - 1) * stride + 1;
	return mem;
}

/*
 * A clause has one layout of its record in all groups, so the size of a name
 * may not depend on what this group's probes are called.
 */
static uint32_t name_capacity(struct lower *lower, enum probe_name which,
			      uint32_t limit)
{
	size_t longest = lower->session->longest_name[which];

	if (lower->session->has_later_names)
		return limit;
	for (uint32_t i = 0; i < probe_count(lower); i++) {
		size_t length = strlen(probe_text(lower, i, which));

		if (length > longest)
			longest = length;
	}
	return longest < limit ? (uint32_t)longest + 1 : limit;
}

static struct value probe_name_bytes(struct lower *lower, enum probe_name which)
{
	uint32_t capacity = name_capacity(lower, which,
					  lower_string_capacity(lower));
	uint32_t stride = round_up(capacity, 8);
	bool is_one = probes_agree(lower, which);
	uint32_t count = is_one ? 1 : probe_count(lower);
	char *table = arena_alloc(lower->session->arena,
				  (size_t)stride * count);

	for (uint32_t i = 0; i < count; i++)
		strncpy(table + (size_t)i * stride, probe_text(lower, i, which),
			capacity - 1);
	return value_of_string(lower,
			       is_one ? ir_rodata(lower->b.program, table,
						  stride, 8)
				      : probe_row(lower, table, stride),
			       capacity);
}

static bool has_process_names(const struct lower *lower)
{
	for (uint32_t i = 0;
	     !lower->in_error_clause && i < lower->group->nprobes; i++)
		if (lower->group->probes[i].has_process_name)
			return true;
	return false;
}

/* Is the probe that fired one of those? */
static ir_reg needs_process_name(struct lower *lower)
{
	uint32_t count = lower->group->nprobes;
	uint8_t *flags = arena_array_of(lower->session->arena, uint8_t, count);

	for (uint32_t i = 0; i < count; i++)
		flags[i] = lower->group->probes[i].has_process_name;
	return ir_load(&lower->b, probe_row(lower, flags, 1), 1, false);
}

/* "python" and the number of the process that is running, where it has one. */
static struct value provider_bytes(struct lower *lower)
{
	enum { DIGITS = 11 };
	struct ir_builder *b = &lower->b;
	struct value name = probe_name_bytes(lower, PROBE_PROVIDER);
	struct value result = lower_library_result(lower,
						   name.capacity + DIGITS);

	ir_string_copy(b, result.mem, result.capacity, name.mem, name.capacity);
	if (!has_process_names(lower))
		return result;

	struct value digits = lower_library_result(lower, DIGITS + 1);
	struct ir_block *append = ir_block_new(b, "process");
	struct ir_block *done = ir_block_new(b, "provider");
	ir_reg needed = needs_process_name(lower);

	lower_library_write(lower, FUNCTION_lltostr, &digits, &digits,
			    lower_process_id(lower), ir_const(b, 10));
	ir_branch(b, needed, append, done);
	ir_enter(b, append);
	lower_library_write(lower, FUNCTION_append, &result, &digits, 0, 0);
	ir_enter(b, done);
	return result;
}

struct value lower_probe_name(struct lower *lower, enum probe_name which)
{
	if (which == PROBE_PROVIDER && lower->session->has_process_names)
		return provider_bytes(lower);
	return (struct value){
		.kind = VALUE_PROBE_NAME,
		.type = types_base(lower->types, BASE_STRING),
		.capacity = lower_string_capacity(lower),
		.which = which,
	};
}

/* ------------------------------------------------------------ conversion */

static struct value read_string(struct lower *lower, enum ir_space space,
				ir_reg address, uint32_t capacity)
{
	struct ir_mem object = ir_object(&lower->b, capacity, "string");

	ir_read_string(&lower->b, object, space, address, capacity);
	return value_of_string(lower, object, capacity);
}

/* Char arrays may have something after their NUL, or no NUL. */
static bool is_padded(struct lower *lower, const struct value *value)
{
	return !value->type || type_is_string(lower->types, value->type);
}

bool value_to_string(struct lower *lower, const struct node *node,
		     struct value *value)
{
	uint32_t capacity = lower_string_capacity(lower);

	switch (value->kind) {
	case VALUE_PROBE_NAME:
		*value = probe_name_bytes(lower, value->which);
		return true;
	case VALUE_SCALAR:
		*value = read_string(lower, lower_pointer_space(lower, node),
				     value->reg, capacity);
		return true;
	case VALUE_MEMORY:
		break;
	default:
		return lower_fail(lower, node, "there is no string here");
	}
	if (mem_is_addressed(&value->mem)) {
		/* A char array may be full: one more for the NUL. */
		if (value->capacity < capacity)
			capacity = value->capacity + 1;
		*value = read_string(lower, mem_read_space(&value->mem),
				     mem_address(lower, &value->mem), capacity);
		return true;
	}
	if (!is_padded(lower, value)) {
		if (value->capacity < capacity)
			capacity = value->capacity + 1;

		struct ir_mem object = ir_object(&lower->b, capacity, "array");

		ir_string_take(&lower->b, object, capacity, value->mem,
			       value->capacity);
		*value = value_of_string(lower, object, capacity);
	}
	value->type = types_base(lower->types, BASE_STRING);
	return true;
}

bool lower_string_operand(struct lower *lower, const struct node *node,
			  struct value *value)
{
	return lower_expression(lower, node, value) &&
	       value_to_string(lower, node, value);
}

bool lower_string(struct lower *lower, const struct node *node,
		  struct value *value)
{
	if (!lower_string_operand(lower, node, value))
		return false;
	if (value->null)
		ir_fault_if(&lower->b, value->null, FAULT_BADADDR, 0);
	value->null = 0;
	return true;
}

bool string_store(struct lower *lower, const struct node *node,
		  struct value *value, struct ir_mem to, uint32_t capacity)
{
	struct ir_builder *b = &lower->b;
	uint32_t size = capacity;

	if (value->kind == VALUE_SCALAR) {
		ir_read_string(b, to, lower_pointer_space(lower, node),
			       value->reg, capacity);
		return true;
	}
	if (value->kind == VALUE_MEMORY && mem_is_addressed(&value->mem)) {
		if (value->capacity < size)
			size = value->capacity + 1;
		ir_read_string(b, to, mem_read_space(&value->mem),
			       mem_address(lower, &value->mem), size);
		if (size < capacity)
			ir_clear(b, ir_mem_at(to, size), capacity - size);
		return true;
	}
	if (value->kind == VALUE_MEMORY && !is_padded(lower, value)) {
		ir_string_take(b, to, capacity, value->mem, value->capacity);
		return true;
	}
	if (!value_to_string(lower, node, value))
		return false;
	ir_string_copy(b, to, capacity, value->mem, value->capacity);
	return true;
}

/* ------------------------------------------------------------ comparison */

bool is_null_constant(const struct node *node)
{
	while (node->kind == NODE_CAST)
		node = node->cast.operand;
	return node->kind == NODE_INTEGER && !node->integer.value;
}

bool is_string_comparison(struct lower *lower, const struct node *node)
{
	return type_is_string(lower->types, node->binary.left->type) ||
	       type_is_string(lower->types, node->binary.right->type);
}

/* The answer of `op` for an order of two strings: <0, 0, >0. */
static bool order_holds(enum op op, int order)
{
	switch (op) {
	case OP_EQUAL: return order == 0;
	case OP_NOT_EQUAL: return order != 0;
	case OP_LESS: return order < 0;
	case OP_LESS_EQUAL: return order <= 0;
	case OP_GREATER: return order > 0;
	default: return order >= 0;
	}
}

static enum ir_op order_op(enum op op)
{
	switch (op) {
	case OP_EQUAL: return IR_EQ;
	case OP_NOT_EQUAL: return IR_NE;
	case OP_LESS: return IR_SLT;
	case OP_LESS_EQUAL: return IR_SLE;
	case OP_GREATER: return IR_SGT;
	default: return IR_SGE;
	}
}

/* probefunc == "read": the answers are known, only the probe is not. */
static ir_reg compare_probe_name(struct lower *lower, enum op op,
				 enum probe_name which, const char *text,
				 bool is_name_left)
{
	uint32_t count = probe_count(lower), yes = 0;
	uint8_t *table = arena_alloc(lower->session->arena, count);

	for (uint32_t i = 0; i < count; i++) {
		int order = strcmp(probe_text(lower, i, which), text);

		table[i] = order_holds(op, is_name_left ? order : -order);
		yes += table[i];
	}
	if (!yes || yes == count)
		return ir_const(&lower->b, yes != 0);
	return ir_load(&lower->b, probe_row(lower, table, 1), 1, false);
}

static bool is_thread_string(struct lower *lower, const struct node *node)
{
	const struct ident *ident = node->kind == NODE_VARIABLE
					    ? node->variable.ident
					    : NULL;

	return ident && ident->kind == IDENT_VARIABLE &&
	       ident->scope == SCOPE_SELF && ident->type &&
	       type_is_string(lower->types, ident->type);
}

/* A string with NULL or 0: only NULL is equal, and less than any other. */
static bool compare_null(struct lower *lower, const struct node *node,
			 bool is_null_left, ir_reg *result)
{
	const struct node *other = is_null_left ? node->binary.right
						: node->binary.left;
	struct value value = { 0 };

	if (is_thread_string(lower, other)) {
		/* Its mark is enough; the bytes may be expensive to read. */
		struct location location = { 0 };

		if (!lower_location(lower, other, &location))
			return false;
		value.null = ir_binary_imm(&lower->b, IR_ULE,
					   ir_load(&lower->b,
						   location_mark(&location), 8,
						   false),
					   MARK_NULL);
	} else if (!lower_expression(lower, other, &value)) {
		return false;
	}
	if (value.kind == VALUE_SCALAR)
		value.null = ir_binary_imm(&lower->b, IR_EQ, value.reg, 0);
	if (!value.null)
		value.null = ir_const(&lower->b, 0);

	/* 0 for equal, 1 for "the string is greater" */
	ir_reg order = ir_binary_imm(&lower->b, IR_XOR, value.null, 1);

	if (is_null_left)
		order = ir_unary(&lower->b, IR_NEG, order);
	*result = ir_binary_imm(&lower->b, order_op(node->op), order, 0);
	return true;
}

static ir_reg null_mark(struct lower *lower, const struct value *value)
{
	return value->null ? value->null : ir_const(&lower->b, 0);
}

static ir_reg compare_bytes(struct lower *lower, enum op op,
			    const struct value *x, const struct value *y)
{
	struct ir_builder *b = &lower->b;
	bool is_equality = op == OP_EQUAL || op == OP_NOT_EQUAL;
	ir_reg result = ir_string_test(b,
				       is_equality ? IR_STRING_EQUAL
						   : IR_STRING_COMPARE,
				       x->mem, x->capacity, y->mem,
				       y->capacity);

	if (is_equality) {
		if (x->null || y->null) {
			ir_reg same = ir_binary(b, IR_EQ, null_mark(lower, x),
						null_mark(lower, y));

			result = ir_binary(b, IR_AND, result, same);
		}
		return op == OP_EQUAL ? result
				      : ir_binary_imm(b, IR_XOR, result, 1);
	}
	if (x->null || y->null) {
		/*
		 * The bytes of NULL are those of "".  Doubling leaves room
		 * for the marks to decide between equals.
		 */
		ir_reg marks = ir_binary(b, IR_SUB, null_mark(lower, y),
					 null_mark(lower, x));

		result = ir_binary_imm(b, IR_SHL, result, 1);
		result = ir_binary(b, IR_ADD, result, marks);
	}
	return ir_binary_imm(b, order_op(op), result, 0);
}

bool lower_string_comparison(struct lower *lower, const struct node *node,
			     ir_reg *result)
{
	const struct node *left = node->binary.left,
			  *right = node->binary.right;
	struct value x = { 0 }, y = { 0 };

	if (is_null_constant(left) || is_null_constant(right))
		return compare_null(lower, node, is_null_constant(left),
				    result);
	if (!lower_expression(lower, left, &x))
		return false;

	/* A variable on the left may change while the right is computed. */
	if (x.kind == VALUE_MEMORY && !x.literal && tree_assigns(right)) {
		struct ir_mem copy = ir_object(&lower->b, x.capacity + 1,
					       "left");
		ir_reg null = x.null;

		if (!string_store(lower, left, &x, copy, x.capacity + 1))
			return false;
		x = value_of_string(lower, copy, x.capacity + 1);
		x.null = null;
	}
	if (!lower_expression(lower, right, &y))
		return false;
	if (x.kind == VALUE_PROBE_NAME && y.literal) {
		*result = compare_probe_name(lower, node->op, x.which,
					     y.literal, true);
		return true;
	}
	if (y.kind == VALUE_PROBE_NAME && x.literal) {
		*result = compare_probe_name(lower, node->op, y.which,
					     x.literal, false);
		return true;
	}
	if (!value_to_string(lower, left, &x) ||
	    !value_to_string(lower, right, &y))
		return false;
	*result = compare_bytes(lower, node->op, &x, &y);
	return true;
}

/* --------------------------------------------------------------- ternary */

static bool lower_arm(struct lower *lower, const struct node *arm,
		      struct ir_mem to, ir_reg null, struct ir_insn **copy,
		      struct ir_block *join)
{
	struct lower_cache cache = lower_cache_save(lower);
	struct value value = { 0 };

	if (is_null_constant(arm)) {
		value = value_of_literal(lower, "", 0);
		value.null = ir_const(&lower->b, 1);
	} else if (!lower_string_operand(lower, arm, &value)) {
		return false;
	}
	*copy = ir_string_copy(&lower->b, to, 0, value.mem, value.capacity);
	ir_move(&lower->b, null, null_mark(lower, &value));
	ir_goto(&lower->b, join);
	lower_cache_restore(lower, &cache);
	return true;
}

bool lower_string_ternary(struct lower *lower, const struct node *node,
			  struct value *value)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *yes = ir_block_new(b, "then"),
			*no = ir_block_new(b, "else"),
			*join = ir_block_new(b, "join");
	struct ir_insn *copies[2];
	struct ir_mem object = ir_object(b, 8, "choice");
	ir_reg null = ir_reg_new(b->program);

	if (!lower_condition(lower, node->ternary.condition, yes, no))
		return false;
	ir_enter(b, yes);
	if (!lower_arm(lower, node->ternary.then, object, null, &copies[0],
		       join))
		return false;
	ir_enter(b, no);
	if (!lower_arm(lower, node->ternary.otherwise, object, null, &copies[1],
		       join))
		return false;
	ir_enter(b, join);

	/* Room for the longer of the two. */
	int64_t capacity = copies[0]->imm2 > copies[1]->imm2 ? copies[0]->imm2
							     : copies[1]->imm2;

	copies[0]->imm = copies[1]->imm = capacity;
	b->program->objects[object.object].size = round_up((uint32_t)capacity,
							   8);
	*value = value_of_string(lower, object, (uint32_t)capacity);
	value->null = null;
	return true;
}
