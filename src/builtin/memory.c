/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: scratch space, and copying between it, the kernel and the user.
 *
 * Only scratch memory may be written to, so the destinations of bcopy() and
 * copyinto() must be known to come from alloca() or copyin().
 */
#include <string.h>

#include "builtin/builtin.h"
#include "ir/lower.h"

static bool check_alloca(struct checker *checker, struct node *call)
{
	const struct options *options = checker->language->config.options;
	struct node *size = call_argument(call, 0);
	uint64_t room = options ? (uint64_t)option_number(options,
							  OPTION_SCRATCHSIZE)
				: UINT64_MAX;

	if (!node_is_integer_constant(size) || size->integer.value <= room)
		return true;
	return builtin_error(checker, size, D_ALLOCA_SIZE,
			     "alloca(%llu) size larger than scratchsize %llu",
			     (unsigned long long)size->integer.value,
			     (unsigned long long)room);
}

static bool check_scratch(struct checker *checker, struct node *call,
			  uint32_t n)
{
	if (call_argument(call, n)->is_scratch)
		return true;
	return argument_error(checker, call, n, D_PROTO_ARG, "alloca pointer");
}

/* alloca(8) itself, under any casts, has 8 bytes. */
static bool is_beyond(const struct node *pointer, const struct node *size)
{
	while (pointer->kind == NODE_CAST)
		pointer = pointer->cast.operand;
	if (pointer->kind != NODE_CALL ||
	    pointer->call.function != &function_alloca)
		return false;
	const struct node *room = call_argument(pointer, 0);

	return node_is_integer_constant(room) &&
	       node_is_integer_constant(size) &&
	       size->integer.value > room->integer.value;
}

static bool check_bcopy(struct checker *checker, struct node *call)
{
	struct node *size = call_argument(call, 2);

	for (uint32_t n = 0; n < 2; n++)
		if (is_beyond(call_argument(call, n), size))
			return builtin_error(
				checker, size, D_ALLOCA_SIZE,
				"%s( ) size is larger than the memory that alloca( ) gives",
				call->call.name);
	return check_scratch(checker, call, 1);
}

static bool check_copyinto(struct checker *checker, struct node *call)
{
	return check_scratch(checker, call, 2);
}

static bool lower_alloca(struct lower *lower, const struct node *call,
			 struct value *result)
{
	const struct node *size = call_argument(call, 0);
	ir_reg reg;

	if (node_is_integer_constant(size) && !size->integer.value) {
		*result = value_of_reg(call->type, lower_scratch_end(lower));
		return true;
	}
	if (!lower_scalar(lower, size, &reg))
		return false;
	uint32_t fixed = node_is_integer_constant(size)
				 ? (uint32_t)size->integer.value
				 : 0;

	*result = value_of_reg(call->type,
			       lower_scratch_take(lower, reg, fixed));
	return true;
}

/* Copies `size` bytes at `from` to scratch address `to`. */
static void read_into(struct lower *lower, enum ir_space space, ir_reg from,
		      ir_reg to, ir_reg size)
{
	struct ir_mem place = lower_scratch_range(lower, to, size);

	ir_read(&lower->b, place, space, from, lower_scratch_limit(lower));
	lower->b.block->last->b = size;
}

static bool lower_copyin(struct lower *lower, const struct node *call,
			 struct value *result)
{
	ir_reg from, size;

	if (!lower_scalar(lower, call_argument(call, 0), &from) ||
	    !lower_scalar(lower, call_argument(call, 1), &size))
		return false;
	ir_reg to = lower_scratch_take_raw(lower, size);

	read_into(lower, IR_USER, from, to, size);
	*result = value_of_reg(call->type, to);
	return true;
}

static bool lower_copyinto(struct lower *lower, const struct node *call,
			   struct value *result)
{
	ir_reg from, size, to;

	(void)result;
	if (!lower_scalar(lower, call_argument(call, 0), &from) ||
	    !lower_scalar(lower, call_argument(call, 1), &size) ||
	    !lower_scalar(lower, call_argument(call, 2), &to))
		return false;
	read_into(lower, IR_USER, from, to, size);
	return true;
}

/* D's own memory has no address: that many bytes of it, known now. */
static void copy_own(struct lower *lower, const struct value *value, ir_reg to,
		     uint64_t size)
{
	uint32_t n = size > value->capacity ? value->capacity : (uint32_t)size;

	ir_copy(&lower->b, lower_scratch_place(lower, to, n), value->mem, n);
}

static bool lower_bcopy(struct lower *lower, const struct node *call,
			struct value *result)
{
	const struct node *source = call_argument(call, 0);
	const struct node *count = call_argument(call, 2);
	struct value value = { 0 };
	ir_reg size, to, from;

	(void)result;
	if (!lower_expression(lower, source, &value) ||
	    !lower_scalar(lower, call_argument(call, 1), &to))
		return false;
	if (value.kind == VALUE_MEMORY && !value_has_address(&value) &&
	    node_is_integer_constant(count)) {
		copy_own(lower, &value, to, count->integer.value);
		return true;
	}
	if (!value_scalar(lower, source, &value, &from) ||
	    !lower_scalar(lower, count, &size))
		return false;
	if (source->is_scratch)
		lower_scratch_range(lower, from, size);
	read_into(lower, lower_pointer_space(lower, source), from, to, size);
	return true;
}

static bool lower_copyinstr(struct lower *lower, const struct node *call,
			    struct value *result)
{
	struct ir_builder *b = &lower->b;
	const struct node *limit = call_argument(call, 1);
	uint32_t capacity = lower_string_capacity(lower);
	struct ir_block *fault = b->fault, *later = lower->later;
	ir_reg from, most = 0;

	lower->later = NULL;
	if (!lower_scalar(lower, call_argument(call, 0), &from))
		return false;
	if (limit && node_is_integer_constant(limit)) {
		if (limit->integer.value < capacity - 1)
			capacity = (uint32_t)limit->integer.value + 1;
	} else if (limit && !lower_scalar(lower, limit, &most)) {
		return false;
	}
	struct ir_mem to = ir_object(b, round_up(capacity, 8), "copyinstr");

	if (later) {
		lower->later_from = from;
		lower->later_most = most ? most : ir_const(b, capacity - 1);
		b->fault = later;
	}
	if (most)
		ir_read_string_limited(b, to, IR_USER, from, capacity, most);
	else
		ir_read_string(b, to, IR_USER, from, capacity);
	b->fault = fault;
	*result = value_of_string(lower, to, capacity);
	return true;
}

/* ------------------------------------------------------- memory as a value */

/* An address and a size, next to each other. */
static bool lower_memref(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct ir_builder *b = &lower->b;
	ir_reg address, size;

	if (!lower_scalar(lower, call_argument(call, 0), &address) ||
	    !lower_scalar(lower, call_argument(call, 1), &size))
		return false;
	ir_reg to = lower_scratch_take_raw(lower, ir_const(b, 16));
	struct ir_mem pair = lower_scratch_place(lower, to, 16);

	ir_store(b, pair, address, 8);
	ir_store(b, ir_mem_at(pair, 8), size, 8);
	*result = value_of_reg(call->type, to);
	return true;
}

/*
 * Consecutive strings, with a character in place of each NUL but the last,
 * which size includes.  Zero bytes are not a string.
 */
static bool lower_memstr(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct ir_builder *b = &lower->b;
	const struct node *source = call_argument(call, 0);
	const struct node *size = call_argument(call, 2);
	uint32_t capacity = lower_string_capacity(lower);
	ir_reg from, separator, wanted;

	if (!lower_scalar(lower, source, &from) ||
	    !lower_library_number(lower, call, 1, BASE_CHAR, 0, &separator) ||
	    !lower_scalar(lower, size, &wanted))
		return false;
	if (node_is_integer_constant(size) && size->integer.value < capacity)
		capacity = (uint32_t)size->integer.value;
	*result = lower_library_result(lower, capacity);
	capacity = result->capacity;

	struct value bytes = value_of_string(lower,
					     ir_object(b, capacity, "memstr"),
					     capacity);
	struct ir_block *cut = ir_block_new(b, "cut");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg is_nothing = ir_binary_imm(b, IR_EQ, wanted, 0);
	ir_reg count = ir_reg_new(b->program);

	/* nothing stays nothing */
	ir_move(b, count,
		ir_binary(b, IR_ADD, ir_binary_imm(b, IR_SUB, wanted, 1),
			  is_nothing));
	ir_branch(b, ir_binary_imm(b, IR_UGT, count, capacity - 1), cut, join);
	ir_enter(b, cut);
	ir_move(b, count, ir_const(b, capacity - 1));
	ir_enter(b, join);
	ir_read(b, bytes.mem, lower_pointer_space(lower, source), from,
		capacity);
	b->block->last->b = count;
	lower_library_write(lower, FUNCTION_memstr, result, &bytes, separator,
			    count);
	result->null = is_nothing;
	return true;
}

/* ----------------------------------------------------------- the other way */

/* `size` bytes of `from`, at most `most`, to user address `to`. */
static void write_user(struct lower *lower, struct ir_mem from, ir_reg to,
		       ir_reg size, uint32_t most)
{
	struct ir_insn *insn = ir_emit_faulting(&lower->b, IR_WRITE_USER);

	insn->mem = from;
	insn->a = to;
	insn->b = size;
	insn->imm = most;
}

static bool lower_copyout(struct lower *lower, const struct node *call,
			  struct value *result)
{
	struct ir_builder *b = &lower->b;
	const struct node *source = call_argument(call, 0);
	uint32_t most = lower_scratch_limit(lower);
	ir_reg from, to, size;

	(void)result;
	if (!lower_scalar(lower, source, &from) ||
	    !lower_scalar(lower, call_argument(call, 1), &to) ||
	    !lower_scalar(lower, call_argument(call, 2), &size))
		return false;
	ir_fault_if(b, ir_binary_imm(b, IR_UGT, size, most), FAULT_NOSCRATCH,
		    size);
	struct ir_mem copy = ir_object(b, most, "copyout");

	ir_object_raw(b, copy);
	ir_read(b, copy, lower_pointer_space(lower, source), from, most);
	b->block->last->b = size;
	write_user(lower, copy, to, size, most);
	return true;
}

/* With its NUL, unless that is beyond the limit. */
static bool lower_copyoutstr(struct lower *lower, const struct node *call,
			     struct value *result)
{
	struct ir_builder *b = &lower->b;
	struct value value = { 0 };
	ir_reg to, limit;

	(void)result;
	if (!lower_string(lower, call_argument(call, 0), &value) ||
	    !lower_scalar(lower, call_argument(call, 1), &to) ||
	    !lower_scalar(lower, call_argument(call, 2), &limit))
		return false;
	uint32_t capacity = round_up(value.capacity, 8);
	struct ir_mem copy = ir_object(b, capacity, "copyoutstr");
	struct ir_block *cut = ir_block_new(b, "cut");
	struct ir_block *join = ir_block_new(b, "join");

	ir_string_copy(b, copy, value.capacity, value.mem, value.capacity);
	ir_reg length = ir_string_length(b, copy, value.capacity);
	ir_reg size = ir_reg_new(b->program);

	ir_move(b, size, ir_binary_imm(b, IR_ADD, length, 1));
	ir_branch(b, ir_binary(b, IR_ULT, limit, size), cut, join);
	ir_enter(b, cut);
	ir_move(b, size, limit);
	ir_enter(b, join);
	write_user(lower, copy, to, size, capacity);
	return true;
}

SUBROUTINE(alloca, "void *(size_t)", .flags = FUNCTION_SCRATCH,
	   .check = check_alloca, .lower = lower_alloca);
SUBROUTINE(bcopy, "void (void *, void *, size_t)", .check = check_bcopy,
	   .lower = lower_bcopy);
SUBROUTINE(copyin, "void *(uintptr_t, size_t)", .flags = FUNCTION_SCRATCH,
	   .kept_size = 2, .lower = lower_copyin);
SUBROUTINE(copyinstr, "string (uintptr_t, [size_t])", .flags = FUNCTION_LATER,
	   .lower = lower_copyinstr);
SUBROUTINE(copyinto, "void (uintptr_t, size_t, void *)",
	   .check = check_copyinto, .lower = lower_copyinto);
SUBROUTINE(copyout, "void (void *, uintptr_t, size_t)",
	   .flags = FUNCTION_DESTRUCTIVE, .lower = lower_copyout);
SUBROUTINE(copyoutstr, "void (char *, uintptr_t, size_t)",
	   .flags = FUNCTION_DESTRUCTIVE, .lower = lower_copyoutstr);
SUBROUTINE(memref, "uintptr_t *(void *, size_t)", .flags = FUNCTION_SCRATCH,
	   .lower = lower_memref);
SUBROUTINE(memstr, "string (void *, char, size_t)", .lower = lower_memstr);
