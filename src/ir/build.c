/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The builder: instructions are appended to the current block.
 *
 * A block is created first (ir_block_new) and placed later (ir_enter), so that
 * a forward jump can name its target before the target is laid out.  Placing
 * puts it after the current block; lowering therefore enters blocks in the
 * order in which they may jump to each other, and invariant 3 of ir.h holds by
 * itself, but for loops.
 *
 * Code after a block's last instruction (after an unconditional fault, say)
 * cannot run.  The builder opens a block for it that nothing jumps to; dead
 * code removal deletes it.  Callers need not care.
 */

#include <assert.h>
#include <string.h>

#include "ir/ir.h"

enum { SHARED_RODATA = 4096 }; /* search for equal constants */

struct ir_program *ir_new(struct arena *arena)
{
	struct ir_program *program = arena_new_of(arena, struct ir_program);

	program->arena = arena;
	return program;
}

ir_reg ir_reg_new(struct ir_program *program)
{
	return ++program->nregs;
}

struct ir_block *ir_block_new(struct ir_builder *b, const char *label)
{
	struct ir_block *block = arena_new_of(b->program->arena,
					      struct ir_block);

	block->number = b->program->nblocks++;
	block->label = label;
	return block;
}

static struct ir_slot_change *next_change(struct ir_slots *slots,
					  enum ir_slot_op op, uint32_t slot)
{
	assert(slots->count < IR_SLOT_CHANGES);
	struct ir_slot_change *change = &slots->changes[slots->count++];

	change->op = op;
	change->slot = slot;
	return change;
}

void ir_slot(struct ir_slots *slots, enum ir_slot_op op, uint32_t slot,
	     ir_reg value)
{
	next_change(slots, op, slot)->value = value;
}

void ir_slot_indexed(struct ir_slots *slots, enum ir_slot_op op, ir_reg index,
		     ir_reg value)
{
	struct ir_slot_change *change = next_change(slots, op, 0);

	change->index = index;
	change->value = value;
}

void ir_slot_add128(struct ir_slots *slots, uint32_t slot, ir_reg low,
		    ir_reg high)
{
	struct ir_slot_change *change = next_change(slots, IR_SLOT_ADD128,
						    slot);

	change->value = low;
	change->high = high;
}

void ir_aggregate(struct ir_builder *b, uint32_t aggregation, struct ir_mem key,
		  const struct ir_slots *slots)
{
	struct ir_insn *insn = ir_emit(b, IR_AGGREGATE);

	insn->imm = aggregation;
	insn->mem = key;
	insn->slots = arena_copy(b->program->arena, slots, sizeof(*slots));
}

bool ir_is_closed(const struct ir_builder *b)
{
	return !b->block || (b->block->last &&
			     (ir_op_flags(b->block->last->op) & IR_ENDS_BLOCK));
}

static void place_block(struct ir_builder *b, struct ir_block *block)
{
	struct ir_program *program = b->program;
	struct ir_block *after = b->block ? b->block : program->last_block;

	if (!after) {
		program->blocks = program->last_block = block;
		return;
	}
	block->next = after->next;
	after->next = block;
	if (program->last_block == after)
		program->last_block = block;
}

void ir_enter(struct ir_builder *b, struct ir_block *block)
{
	if (!ir_is_closed(b))
		ir_goto(b, block);
	place_block(b, block);
	b->block = block;
}

struct ir_insn *ir_emit(struct ir_builder *b, enum ir_op op)
{
	if (ir_is_closed(b)) {
		struct ir_block *block = ir_block_new(b, "after");

		place_block(b, block);
		b->block = block;
	}

	struct ir_insn *insn = arena_new_of(b->program->arena, struct ir_insn);

	insn->op = op;
	insn->place = b->place;
	if (b->block->last)
		b->block->last->next = insn;
	else
		b->block->first = insn;
	b->block->last = insn;
	return insn;
}

static ir_reg set_dst(struct ir_builder *b, struct ir_insn *insn)
{
	return insn->dst = ir_reg_new(b->program);
}

/* The number of the site for which faults from here are reported. */
static uint32_t site_here(struct ir_builder *b)
{
	struct ir_program *program = b->program;

	for (uint32_t i = program->nsites; i-- > b->first_site;) {
		const struct ir_site *site = &program->sites[i];

		if (site->clause == b->clause &&
		    site->function == b->function &&
		    site->statement == b->statement &&
		    site->place.source == b->place.source &&
		    site->place.offset == b->place.offset)
			return i;
	}
	program->sites = arena_grown(program->arena, program->sites,
				     program->nsites, sizeof(struct ir_site));
	program->sites[program->nsites] = (struct ir_site){
		.clause = b->clause,
		.statement = b->statement,
		.place = b->place,
		.function = b->function,
		.line = b->place.source == b->in_function.source
				? b->place.line
				: b->in_function.line,
	};
	return program->nsites++;
}

static void set_fault(struct ir_builder *b, struct ir_insn *insn)
{
	assert(b->fault);
	insn->target = b->fault;
	insn->site = site_here(b);
}

/* ----------------------------------------------------------------- loops */

struct ir_block *ir_loop_begin(struct ir_builder *b)
{
	struct ir_block *header = ir_block_new(b, "loop");

	header->is_header = true;
	header->limited = arena_new_of(b->program->arena, struct ir_insn);
	*header->limited = (struct ir_insn){ .op = IR_FAULT,
					     .imm = FAULT_LOOPLIMIT,
					     .place = b->place };
	set_fault(b, header->limited);
	ir_enter(b, header);
	b->loop_depth++;
	return header;
}

void ir_loop_end(struct ir_builder *b, struct ir_block *header,
		 struct ir_block *exit)
{
	if (!ir_is_closed(b))
		ir_goto(b, header);
	header->exit = exit;
	b->loop_depth--;
	ir_enter(b, exit);
}

/* ------------------------------------------------------------- functions */

void ir_function_begin(struct ir_builder *b, struct ir_function_state *aside)
{
	struct ir_program *program = b->program;

	*aside = (struct ir_function_state){
		.builder = *b,
		.blocks = program->blocks,
		.last_block = program->last_block,
	};
	program->blocks = program->last_block = NULL;
	*b = (struct ir_builder){
		.program = program,
		.place = b->place,
		.clause = b->clause,
		.statement = b->statement,
		.first_site = program->nsites,
		.is_repeated = true,
	};
	ir_enter(b, ir_block_new(b, "function"));
}

uint32_t ir_function_end(struct ir_builder *b,
			 const struct ir_function_state *aside,
			 const char *name)
{
	struct ir_program *program = b->program;

	program->routines = arena_grown(program->arena, program->routines,
					program->nroutines,
					sizeof(*program->routines));
	program->routines[program->nroutines] = (struct ir_routine){
		.entry = program->blocks,
		.last = program->last_block,
		.name = name,
		.place = b->place,
		.is_function = true,
	};
	program->nroutines++;
	ir_function_drop(b, aside);
	return program->nroutines - 1;
}

void ir_function_drop(struct ir_builder *b,
		      const struct ir_function_state *aside)
{
	b->program->blocks = aside->blocks;
	b->program->last_block = aside->last_block;
	*b = aside->builder;
}

uint32_t ir_sites_copy(struct ir_builder *b, uint32_t first, uint32_t count)
{
	struct ir_program *program = b->program;
	uint32_t copy = program->nsites;

	for (uint32_t i = 0; i < count; i++) {
		program->sites = arena_grown(program->arena, program->sites,
					     program->nsites,
					     sizeof(struct ir_site));

		struct ir_site *site = &program->sites[program->nsites++];

		*site = program->sites[first + i];
		site->clause = b->clause;
		site->statement = b->statement;
	}
	return copy;
}

ir_reg ir_invoke(struct ir_builder *b, uint32_t routine)
{
	struct ir_insn *insn = ir_emit(b, IR_INVOKE);

	insn->imm = routine;
	return set_dst(b, insn);
}

void ir_leave(struct ir_builder *b, int64_t value)
{
	ir_emit(b, IR_LEAVE)->imm = value;
}

/* ------------------------------------------------------------ arithmetic */

ir_reg ir_const(struct ir_builder *b, int64_t value)
{
	struct ir_insn *insn = ir_emit(b, IR_CONST);

	insn->imm = value;
	return set_dst(b, insn);
}

ir_reg ir_const_at_start(struct ir_builder *b, int64_t value)
{
	struct ir_block *block = b->program->blocks;
	struct ir_insn *insn = arena_new_of(b->program->arena, struct ir_insn);

	insn->op = IR_CONST;
	insn->imm = value;
	insn->next = block->first;
	block->first = insn;
	if (!block->last)
		block->last = insn;
	return set_dst(b, insn);
}

ir_reg ir_binary(struct ir_builder *b, enum ir_op op, ir_reg x, ir_reg y)
{
	struct ir_insn *insn = ir_emit(b, op);

	insn->a = x;
	insn->b = y;
	return set_dst(b, insn);
}

ir_reg ir_binary_imm(struct ir_builder *b, enum ir_op op, ir_reg x, int64_t y)
{
	struct ir_insn *insn = ir_emit(b, op);

	insn->a = x;
	insn->imm = y;
	return set_dst(b, insn);
}

ir_reg ir_unary(struct ir_builder *b, enum ir_op op, ir_reg x)
{
	struct ir_insn *insn = ir_emit(b, op);

	insn->a = x;
	return set_dst(b, insn);
}

void ir_move(struct ir_builder *b, ir_reg dst, ir_reg src)
{
	struct ir_insn *insn = ir_emit(b, IR_MOVE);

	insn->a = src;
	insn->dst = dst;
}

ir_reg ir_extend(struct ir_builder *b, ir_reg x, unsigned size, bool is_signed)
{
	if (size >= 8)
		return x;

	struct ir_insn *insn = ir_emit(b, IR_EXTEND);

	insn->a = x;
	insn->size = (uint8_t)size;
	insn->is_signed = is_signed;
	return set_dst(b, insn);
}

/* ---------------------------------------------------------------- memory */

ir_reg ir_load(struct ir_builder *b, struct ir_mem mem, unsigned size,
	       bool is_signed)
{
	struct ir_insn *insn = ir_emit(b, IR_LOAD);

	insn->mem = mem;
	insn->size = (uint8_t)size;
	insn->is_signed = is_signed;
	return set_dst(b, insn);
}

void ir_store(struct ir_builder *b, struct ir_mem mem, ir_reg x, unsigned size)
{
	struct ir_insn *insn = ir_emit(b, IR_STORE);

	insn->mem = mem;
	insn->a = x;
	insn->size = (uint8_t)size;
}

void ir_atomic_add(struct ir_builder *b, struct ir_mem mem, ir_reg x,
		   unsigned size)
{
	struct ir_insn *insn = ir_emit(b, IR_ATOMIC_ADD);

	insn->mem = mem;
	insn->a = x;
	insn->size = (uint8_t)size;
}

void ir_copy(struct ir_builder *b, struct ir_mem to, struct ir_mem from,
	     uint32_t size)
{
	struct ir_insn *insn = ir_emit(b, IR_COPY);

	insn->mem = to;
	insn->source = from;
	insn->imm = size;
}

void ir_clear(struct ir_builder *b, struct ir_mem mem, uint32_t size)
{
	struct ir_insn *insn = ir_emit(b, IR_CLEAR);

	insn->mem = mem;
	insn->imm = size;
}

ir_reg ir_address(struct ir_builder *b, struct ir_mem mem)
{
	struct ir_insn *insn = ir_emit(b, IR_ADDRESS);

	insn->mem = mem;
	return set_dst(b, insn);
}

ir_reg ir_read_scalar(struct ir_builder *b, enum ir_space space, ir_reg address,
		      unsigned size, bool is_signed)
{
	struct ir_insn *insn = ir_emit(b, IR_READ_SCALAR);

	insn->source.space = space;
	insn->a = address;
	insn->size = (uint8_t)size;
	insn->is_signed = is_signed;
	set_fault(b, insn);
	return set_dst(b, insn);
}

struct ir_insn *ir_emit_faulting(struct ir_builder *b, enum ir_op op)
{
	struct ir_insn *insn = ir_emit(b, op);

	set_fault(b, insn);
	return insn;
}

void ir_read(struct ir_builder *b, struct ir_mem to, enum ir_space space,
	     ir_reg address, uint32_t size)
{
	struct ir_insn *insn = ir_emit(b, IR_READ);

	insn->mem = to;
	insn->source.space = space;
	insn->a = address;
	insn->imm = size;
	set_fault(b, insn);
}

ir_reg ir_read_string_limited(struct ir_builder *b, struct ir_mem to,
			      enum ir_space space, ir_reg address,
			      uint32_t capacity, ir_reg most)
{
	struct ir_insn *insn = ir_emit(b, IR_READ_STRING);

	insn->mem = to;
	insn->source.space = space;
	insn->a = address;
	insn->imm = capacity;
	insn->b = most;
	set_fault(b, insn);
	return set_dst(b, insn);
}

ir_reg ir_read_string(struct ir_builder *b, struct ir_mem to,
		      enum ir_space space, ir_reg address, uint32_t capacity)
{
	return ir_read_string_limited(b, to, space, address, capacity, 0);
}

ir_reg ir_read_args(struct ir_builder *b, struct ir_mem to, uint32_t capacity,
		    ir_reg address, ir_reg count)
{
	struct ir_insn *insn = ir_emit(b, IR_READ_ARGS);

	insn->mem = to;
	insn->imm = capacity;
	insn->a = address;
	insn->b = count;
	return insn->dst = ir_reg_new(b->program);
}

struct ir_insn *ir_string_copy(struct ir_builder *b, struct ir_mem to,
			       uint32_t capacity, struct ir_mem from,
			       uint32_t from_capacity)
{
	struct ir_insn *insn = ir_emit(b, IR_STRING_COPY);

	insn->mem = to;
	insn->imm = capacity;
	insn->source = from;
	insn->imm2 = from_capacity;
	return insn;
}

struct ir_insn *ir_string_take(struct ir_builder *b, struct ir_mem to,
			       uint32_t capacity, struct ir_mem from,
			       uint32_t from_capacity)
{
	struct ir_insn *insn = ir_string_copy(b, to, capacity, from,
					      from_capacity);

	insn->op = IR_STRING_TAKE;
	return insn;
}

ir_reg ir_string_test(struct ir_builder *b, enum ir_op op, struct ir_mem x,
		      uint32_t x_capacity, struct ir_mem y, uint32_t y_capacity)
{
	struct ir_insn *insn = ir_emit(b, op);

	insn->mem = x;
	insn->imm = x_capacity;
	insn->source = y;
	insn->imm2 = y_capacity;
	return set_dst(b, insn);
}

ir_reg ir_string_length(struct ir_builder *b, struct ir_mem mem,
			uint32_t capacity)
{
	struct ir_insn *insn = ir_emit(b, IR_STRING_LENGTH);

	insn->mem = mem;
	insn->imm = capacity;
	return set_dst(b, insn);
}

ir_reg ir_call(struct ir_builder *b, enum ir_op op, enum ir_function function,
	       struct ir_mem mem, uint32_t mem_capacity, struct ir_mem source,
	       uint32_t source_capacity, ir_reg x, ir_reg y)
{
	struct ir_insn *insn = ir_emit(b, op);

	insn->function = function;
	insn->mem = mem;
	insn->imm = mem_capacity;
	insn->source = source;
	insn->imm2 = source_capacity;
	insn->a = x;
	insn->b = y;
	return set_dst(b, insn);
}

/* ------------------------------------------------------- world and control */

ir_reg ir_query(struct ir_builder *b, enum ir_query query)
{
	struct ir_insn *insn = ir_emit(b, IR_QUERY);

	insn->imm = query;
	return set_dst(b, insn);
}

ir_reg ir_intrinsic(struct ir_builder *b, enum ir_intrinsic which, ir_reg x,
		    ir_reg y)
{
	struct ir_insn *insn = ir_emit(b, IR_INTRINSIC);

	insn->imm = which;
	insn->a = x;
	insn->b = y;
	return set_dst(b, insn);
}

static struct ir_insn *emit_stack(struct ir_builder *b, enum ir_op op,
				  struct ir_mem to, uint32_t size)
{
	struct ir_insn *insn = ir_emit(b, op);

	insn->mem = to;
	insn->imm = size;
	if (op == IR_STACK)
		insn->imm2 = b->program->skip_frames;
	return insn;
}

void ir_stack(struct ir_builder *b, struct ir_mem to, uint32_t size)
{
	emit_stack(b, IR_STACK, to, size);
}

ir_reg ir_stack_depth(struct ir_builder *b, struct ir_mem to, uint32_t size)
{
	return set_dst(b, emit_stack(b, IR_STACK, to, size));
}

ir_reg ir_ustack(struct ir_builder *b, struct ir_mem to, uint32_t size,
		 uint32_t flags, ir_reg who)
{
	struct ir_mem state = ir_object(b, IR_WALK_SIZE, "walk");
	struct ir_insn *insn = emit_stack(b, IR_USTACK, to, size);

	insn->source = state;
	insn->imm2 = flags;
	insn->a = who;
	return set_dst(b, insn);
}

void ir_goto(struct ir_builder *b, struct ir_block *target)
{
	ir_emit(b, IR_GOTO)->target = target;
}

void ir_branch(struct ir_builder *b, ir_reg condition, struct ir_block *yes,
	       struct ir_block *no)
{
	struct ir_insn *insn = ir_emit(b, IR_BRANCH);

	insn->a = condition;
	insn->target = yes;
	insn->otherwise = no;
}

void ir_return(struct ir_builder *b)
{
	ir_emit(b, IR_RETURN);
}

void ir_fault_if(struct ir_builder *b, ir_reg condition, enum fault fault,
		 ir_reg value)
{
	struct ir_insn *insn = ir_emit(b, IR_FAULT_IF);

	insn->a = condition;
	insn->b = value;
	insn->imm = fault;
	set_fault(b, insn);
}

void ir_fault_index(struct ir_builder *b, ir_reg index, uint64_t count)
{
	ir_fault_if(b, ir_binary_imm(b, IR_UGE, index, (int64_t)count),
		    FAULT_BADINDEX, index);
	b->program->sites[site_here(b)].count = count;
}

void ir_fault(struct ir_builder *b, enum fault fault, ir_reg value)
{
	struct ir_insn *insn = ir_emit(b, IR_FAULT);

	insn->b = value;
	insn->imm = fault;
	set_fault(b, insn);
}

/* --------------------------------------------------------------- storage */

static uint32_t round_to(uint32_t n, uint32_t to)
{
	return (n + to - 1) / to * to;
}

struct ir_mem ir_object(struct ir_builder *b, uint32_t size, const char *name)
{
	struct ir_program *program = b->program;

	program->objects = arena_grown(program->arena, program->objects,
				       program->nobjects,
				       sizeof(struct ir_object));
	program->objects[program->nobjects] = (struct ir_object){
		.size = round_to(size ? size : 1, 8),
		.align = 8,
		.name = name,
	};
	struct ir_mem mem = { .space = IR_FRAME,
			      .object = program->nobjects++ };

	if (b->loop_depth || b->is_repeated) {
		struct ir_object *object = &program->objects[mem.object];

		ir_clear(b, mem, object->size);
		object->clear = b->block->last;
		object->is_raw = true;
	}
	return mem;
}

void ir_object_raw(struct ir_builder *b, struct ir_mem mem)
{
	struct ir_object *object = &b->program->objects[mem.object];

	object->is_raw = true;
	if (object->clear)
		*object->clear = (struct ir_insn){
			.op = IR_NOP, .next = object->clear->next
		};
}

/*
 * Equal constants share their bytes: a program repeats its literals.  A long
 * program is not searched from its start for each of them.
 */
static bool find_rodata(const struct ir_program *program, const void *bytes,
			uint32_t size, uint32_t align, uint32_t *at)
{
	uint32_t first =
		program->rodata_size > SHARED_RODATA
			? round_to(program->rodata_size - SHARED_RODATA, align)
			: 0;

	for (uint32_t i = first; i + size <= program->rodata_size; i += align)
		if (!memcmp(program->rodata + i, bytes, size)) {
			*at = i;
			return true;
		}
	return false;
}

struct ir_mem ir_rodata(struct ir_program *program, const void *bytes,
			uint32_t size, uint32_t align)
{
	uint32_t at = round_to(program->rodata_size, align);
	uint32_t end = round_to(at + size, 8);

	if (find_rodata(program, bytes, size, align, &at))
		return ir_mem_of(IR_RODATA, at);
	if (end > program->rodata_capacity) {
		uint32_t capacity = end * 2 + 64;
		uint8_t *rodata = arena_alloc(program->arena, capacity);

		if (program->rodata_size)
			memcpy(rodata, program->rodata, program->rodata_size);
		program->rodata = rodata;
		program->rodata_capacity = capacity;
	}
	memcpy(program->rodata + at, bytes, size);
	program->rodata_size = end;
	return ir_mem_of(IR_RODATA, at);
}

struct ir_mem ir_mem_at(struct ir_mem mem, int64_t offset)
{
	mem.offset += offset;
	return mem;
}
