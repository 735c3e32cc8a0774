/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scratch memory: what alloca() and copyin() give out, until the clause ends.
 *
 * It is one object of the frame, and a register that holds how much of it is
 * allocated.  Memory is zeroed when it is allocated.  What a clause allocated
 * stays readable for later clauses of the firing until they allocate it
 * themselves; a second register holds how far that goes.  A pointer into it is
 * the true address of the bytes, a number like any other kernel address: it can
 * be kept in variables, cast and computed with, and a read through a pointer of
 * unknown origin is right, too.
 *
 * 1. Where a pointer is known to be one into scratch memory, reading through it
 *    is a test against what is allocated and a plain load.
 * 2. Every store through a pointer passes the test, known or not, because
 *    nothing else may be written to.
 *
 * The object is twice as large as what can be allocated: the kernel's verifier
 * knows how far in an access may begin and how long it may be, but not that
 * both maxima never occur together.
 *
 * Allocations are whole words.  A multiple of 8 is compared only with a limit
 * one below another: told that it is above 0x1000 and below 0x1008, the
 * verifier of 6.18.15 finds that no number is left and reports a bug in itself.
 */

#include "base/option.h"
#include "ir/lower_internal.h"
#include "lang/internal.h" /* options */

enum { WORD = 8, WITHIN_WORD = WORD - 1 };

/* Bytes that can be taken. */
static uint32_t scratch_room(struct lower *lower)
{
	const struct options *options =
		lower->session->language->config.options;
	int64_t size = options ? option_number(options, OPTION_SCRATCHSIZE)
			       : 4096;
	const int64_t most = 1 << 20;

	if (size < 8)
		size = 8;
	return round_up((uint32_t)(size > most ? most : size), 8) +
	       lower->scratch_reserved;
}

static uint32_t object_size(struct lower *lower)
{
	return 2 * (scratch_room(lower) + WORD);
}

void lower_scratch_start(struct lower *lower)
{
	struct ir_program *program = lower->b.program;

	lower->scratch_taken = ir_const(&lower->b, lower->scratch_reserved);
	lower->scratch_valid = ir_const(&lower->b, lower->scratch_reserved);
	if (lower->scratch_reserved)
		program->objects[lower->scratch.object].size =
			object_size(lower);
}

void lower_scratch_reset(struct lower *lower)
{
	if (lower->scratch.space == IR_NOWHERE)
		return;
	lower->scratch_is_reused = true;
	ir_move(&lower->b, lower->scratch_taken,
		ir_const(&lower->b, lower->scratch_reserved));
}

static struct ir_mem scratch_object(struct lower *lower)
{
	if (lower->scratch.space == IR_NOWHERE) {
		lower->scratch = ir_object(&lower->b, object_size(lower),
					   "scratch");
		ir_object_raw(&lower->b, lower->scratch);
	}
	return lower->scratch;
}

struct ir_mem lower_scratch_reserve(struct lower *lower, uint32_t size)
{
	struct ir_mem mem = scratch_object(lower);

	mem.offset = lower->scratch_reserved;
	lower->scratch_reserved += round_up(size, 8);
	/* so large now; when all are reserved it gets its size */
	lower->b.program->objects[mem.object].size = object_size(lower);
	return mem;
}

static ir_reg scratch_start_address(struct lower *lower)
{
	ir_reg reg = ir_address(&lower->b, scratch_object(lower));

	lower->b.block->last->imm = scratch_room(lower);
	return reg;
}

/* A copy of a register that changes. */
static ir_reg copy_of(struct lower *lower, ir_reg reg)
{
	ir_reg copy = ir_reg_new(lower->b.program);

	ir_move(&lower->b, copy, reg);
	return copy;
}

static void take_until(struct lower *lower, ir_reg end)
{
	struct ir_builder *b = &lower->b;

	ir_move(b, lower->scratch_taken, end);
	if (!lower->scratch_is_reused) {
		ir_move(b, lower->scratch_valid, end);
		return;
	}
	struct ir_block *more = ir_block_new(b, "more scratch");
	struct ir_block *join = ir_block_new(b, "join");

	ir_reg last = ir_binary_imm(b, IR_ADD, lower->scratch_valid,
				    WITHIN_WORD);

	ir_branch(b, ir_binary(b, IR_UGT, end, last), more, join);
	ir_enter(b, more);
	ir_move(b, lower->scratch_valid, end);
	ir_enter(b, join);
}

/* Where free memory starts; the fault NOSCRATCH if there is not enough. */
static ir_reg find_room(struct lower *lower, ir_reg size)
{
	struct ir_builder *b = &lower->b;
	ir_reg at = copy_of(lower, lower->scratch_taken);
	ir_reg left = ir_binary(b, IR_SUB, ir_const(b, scratch_room(lower)),
				at);

	ir_fault_if(b, ir_binary(b, IR_UGT, size, left), FAULT_NOSCRATCH, size);
	return at;
}

static struct ir_mem scratch_at(struct lower *lower, ir_reg at)
{
	struct ir_mem mem = scratch_object(lower);

	mem.base = at;
	mem.bound = scratch_room(lower) + WITHIN_WORD + 1;
	return mem;
}

/* at + size, on words */
static ir_reg end_of(struct ir_builder *b, ir_reg at, ir_reg size)
{
	ir_reg end = ir_binary_imm(b, IR_ADD, ir_binary(b, IR_ADD, at, size),
				   7);

	return ir_binary_imm(b, IR_AND, end, -8);
}

ir_reg lower_scratch_take(struct lower *lower, ir_reg size, uint32_t fixed)
{
	struct ir_builder *b = &lower->b;
	uint32_t room = scratch_room(lower);
	ir_reg at = find_room(lower, size);
	ir_reg end = end_of(b, at, size);
	ir_reg count = fixed ? 0 : ir_binary(b, IR_SUB, end, at);
	uint32_t most = room + WITHIN_WORD; /* of those that are counted */

	take_until(lower, end);
	if (fixed)
		most = fixed < room ? round_up(fixed, WORD) : room;
	ir_clear(b, scratch_at(lower, at), most);
	b->block->last->b = count;
	return ir_binary(b, IR_ADD, scratch_start_address(lower), at);
}

ir_reg lower_scratch_take_raw(struct lower *lower, ir_reg size)
{
	struct ir_builder *b = &lower->b;
	ir_reg at = find_room(lower, size);
	ir_reg end = end_of(b, ir_binary_imm(b, IR_ADD, at, 1), size);
	ir_reg last = ir_binary_imm(b, IR_SUB, end, 8);
	ir_reg is_outside = ir_binary_imm(b, IR_UGT, end,
					  scratch_room(lower) + WITHIN_WORD);

	/* nothing after the room matters */
	ir_store(b, scratch_at(lower, last), ir_const(b, 0), 8);
	take_until(lower, ir_binary(b, IR_SUB, end,
				    ir_binary_imm(b, IR_SHL, is_outside, 3)));
	return ir_binary(b, IR_ADD, scratch_start_address(lower), at);
}

ir_reg lower_scratch_end(struct lower *lower)
{
	return ir_binary_imm(&lower->b, IR_ADD, scratch_start_address(lower),
			     scratch_room(lower));
}

uint32_t lower_scratch_limit(struct lower *lower)
{
	return scratch_room(lower);
}

/* size: a register, or 0 for `fixed` bytes. */
static struct ir_mem place_at(struct lower *lower, ir_reg address, ir_reg size,
			      uint32_t fixed)
{
	struct ir_builder *b = &lower->b;
	uint32_t room = scratch_room(lower);
	ir_reg at = ir_binary(b, IR_SUB, address, scratch_start_address(lower));
	ir_reg end = size ? ir_binary(b, IR_ADD, at, size)
			  : ir_binary_imm(b, IR_ADD, at, fixed);
	ir_reg outside = ir_binary_imm(b, IR_UGT, at, room);

	if (size)
		outside = ir_binary(b, IR_OR, outside,
				    ir_binary_imm(b, IR_UGT, size, room));
	outside = ir_binary(b, IR_OR, outside,
			    ir_binary(b, IR_UGT, end,
				      copy_of(lower, lower->scratch_valid)));
	ir_fault_if(b, outside, FAULT_BADADDR, address);
	return scratch_at(lower, at);
}

struct ir_mem lower_scratch_place(struct lower *lower, ir_reg address,
				  uint32_t size)
{
	if (size > scratch_room(lower)) {
		ir_fault_if(&lower->b, ir_const(&lower->b, 1), FAULT_BADADDR,
			    address);
		size = 0;
	}
	return place_at(lower, address, 0, size);
}

struct ir_mem lower_scratch_range(struct lower *lower, ir_reg address,
				  ir_reg size)
{
	return place_at(lower, address, size, 0);
}

ir_reg lower_scratch_copy(struct lower *lower, const struct value *value)
{
	struct ir_builder *b = &lower->b;
	ir_reg address = lower_scratch_take_raw(lower,
						ir_const(b, value->capacity));

	ir_copy(b, lower_scratch_place(lower, address, value->capacity),
		value->mem, value->capacity);
	if (!value->null)
		return address;
	/* all bits, or none */
	return ir_binary(b, IR_AND, address,
			 ir_binary_imm(b, IR_SUB,
				       ir_binary_imm(b, IR_NE, value->null, 0),
				       1));
}

/* Where D's global variables start. */
static ir_reg globals_address(struct lower *lower)
{
	struct lower_session *session = lower->session;

	if (!session->has_address_word) {
		session->has_address_word = true;
		session->address_word = round_up(session->globals_size, 8);
		session->globals_size = session->address_word + 8;
	}
	ir_reg reg = ir_address(&lower->b,
				ir_mem_of(IR_GLOBAL, session->address_word));

	lower->b.block->last->imm = 8;
	return ir_binary_imm(&lower->b, IR_SUB, reg, session->address_word);
}

bool lower_own_address(struct lower *lower, const struct ir_mem *mem,
		       ir_reg *reg)
{
	struct ir_builder *b = &lower->b;

	if (mem->space == IR_GLOBAL)
		*reg = globals_address(lower);
	else if (mem->space == IR_FRAME && lower->scratch.space != IR_NOWHERE &&
		 mem->object == lower->scratch.object)
		*reg = scratch_start_address(lower);
	else
		return false;
	*reg = ir_binary_imm(b, IR_ADD, *reg, mem->offset);
	if (mem->base)
		*reg = ir_binary(b, IR_ADD, *reg, mem->base);
	return true;
}

ir_reg lower_global_place(struct lower *lower, ir_reg address, uint32_t size,
			  struct ir_mem *mem)
{
	struct ir_builder *b = &lower->b;
	uint32_t end = lower->session->globals_size;

	if (!lower->session->has_address_word || end < size)
		return 0;
	*mem = ir_mem_of(IR_GLOBAL, 0);
	mem->base = ir_binary(b, IR_SUB, address, globals_address(lower));
	mem->bound = end - size + 1;
	return ir_binary_imm(b, IR_ULT, mem->base, mem->bound);
}

void mem_read(struct lower *lower, struct ir_mem to, const struct ir_mem *from,
	      uint32_t size)
{
	ir_reg address = mem_address(lower, from);

	if (from->space == IR_SCRATCH && size <= scratch_room(lower)) {
		ir_copy(&lower->b, to,
			lower_scratch_place(lower, address, size), size);
		return;
	}
	ir_read(&lower->b, to, mem_read_space(from), address, size);
}
