/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deferred strings: self->path = copyinstr(arg1).
 *
 * A program may name a file by a string that it has never touched: a constant
 * of its text whose page is in the file system's cache but not in the process
 * yet.  A probe at the entry of the system call cannot wait for the page, but
 * soon afterwards the kernel itself fetches it, to read the same name; at the
 * return of the call the string is there.
 *
 * So a statement that puts a copyinstr() into a thread-local variable does not
 * fault when the string cannot be read: the variable keeps the address, and the
 * first probe of the same thread that needs the string reads it, once.  If that
 * fails, too, it is the fault of that probe.  Only this thread can read the
 * variable, so the address means the same there.  Addresses that no process can
 * have fault at once.
 *
 * Until then the variable's bytes hold the address and the limit.
 */
#include "ir/lower_internal.h"

enum {
	LATER_FROM = 0, LATER_MOST = 8,	/* where they are kept */
	LATER_SIZE = 16,
	FIRST_ADDRESS = 4096,
};
static const int64_t LAST_ADDRESS = 0x7fffffffffff; /* 47 bits */

static bool is_possible(const struct location *location)
{
	return location->may_be_later && location->capacity >= LATER_SIZE;
}

bool is_deferrable(struct lower *lower, const struct node *node,
		   const struct location *location)
{
	const struct node *right = node->binary.right;

	return is_possible(location) && lower->statement == node &&
	       call_has_flag(right, FUNCTION_LATER);
}

bool lower_deferrable(struct lower *lower, const struct node *node,
		      const struct location *location)
{
	struct ir_builder *b = &lower->b;
	const struct node *right = node->binary.right;
	struct ir_block *later = ir_block_new(b, "later");
	struct ir_block *join = ir_block_new(b, "join");
	struct value value = { 0 };

	lower->later = later;

	bool good = lower_expression(lower, right, &value);

	lower->later = NULL;
	if (!good || !location_store(lower, right, location, &value))
		return false;
	ir_goto(b, join);

	ir_enter(b, later);

	ir_reg above = ir_binary_imm(b, IR_SUB, lower->later_from,
				     FIRST_ADDRESS);

	ir_fault_if(b,
		    ir_binary_imm(b, IR_UGT, above,
				  LAST_ADDRESS - FIRST_ADDRESS),
		    FAULT_BADADDR, lower->later_from);
	ir_store(b, ir_mem_at(location->mem, LATER_FROM), lower->later_from, 8);
	ir_store(b, ir_mem_at(location->mem, LATER_MOST), lower->later_most, 8);
	ir_store(b, location_mark(location), ir_const(b, MARK_LATER), 8);
	ir_enter(b, join);
	return true;
}

struct ir_mem lower_deferred(struct lower *lower,
			     const struct location *location, ir_reg mark)
{
	struct ir_builder *b = &lower->b;
	uint32_t capacity = location->capacity;

	if (!is_possible(location))
		return location->mem;

	struct ir_block *later = ir_block_new(b, "later"),
			*here = ir_block_new(b, "here"),
			*join = ir_block_new(b, "join");
	struct ir_mem object = ir_object(b, capacity, "string");

	ir_branch(b, ir_binary_imm(b, IR_EQ, mark, MARK_LATER), later, here);
	ir_enter(b, later);

	ir_reg from = ir_load(b, ir_mem_at(location->mem, LATER_FROM), 8,
			      false);
	ir_reg most = ir_load(b, ir_mem_at(location->mem, LATER_MOST), 8,
			      false);

	ir_read_string_limited(b, object, IR_USER, from, capacity, most);
	ir_string_copy(b, location->mem, capacity, object, capacity);
	ir_store(b, location_mark(location), ir_const(b, MARK_SET), 8);
	ir_goto(b, join);

	ir_enter(b, here);
	ir_string_copy(b, object, capacity, location->mem, capacity);
	ir_enter(b, join);
	return object;
}
