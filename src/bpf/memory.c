/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: from spaces and offsets to machine addresses.
 *
 * Every space finds its address differently: frame objects are below R10 or in
 * the scratch slot, globals, constants and state are direct addresses in a
 * map's value, the record, the self record and the context are pointers that
 * some step left in a hidden register.
 *
 * The self record may be missing (no memory, or inside task storage itself):
 * loads then give 0, block reads see zeros that we keep after the program's
 * constants, and a store first tries to create the record.
 */
#include "bpf/gen.h"

#include <stddef.h>

enum { MAX_OFFSET = 32000 }; /* that an instruction can encode, with margin */

void count_in_state(struct gen *g, uint32_t offset)
{
	emit_map_value(&g->e, R1, MAP_STATE, offset);
	out(g, insn_mov_imm(R0, 1));
	out(g, insn_atomic(8, BPF_ADD, R1, 0, R0));
}

void lookup_cpu(struct gen *g, enum bpf_map_role role, uint32_t index,
		label none)
{
	out(g, insn_call(BPF_FUNC_get_smp_processor_id));
	out(g, insn_store(4, R10, TEMP_KEY, R0));
	emit_map(&g->e, R1, role, index);
	out(g, insn_mov(R2, R10));
	emit_add(&g->e, R2, TEMP_KEY);
	out(g, insn_call(BPF_FUNC_map_lookup_elem));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), none);
}

/* ---------------------------------------------------------------- the self */

/* R0 = this thread's record or NULL */
static void get_self(struct gen *g, int32_t flags)
{
	out(g, insn_call(BPF_FUNC_get_current_task_btf));
	out(g, insn_mov(R2, R0));
	emit_map(&g->e, R1, MAP_SELF, 0);
	out(g, insn_mov_imm(R3, 0));
	out(g, insn_mov_imm(R4, flags));
	out(g, insn_call(BPF_FUNC_task_storage_get));
}

void gen_self_get(struct gen *g)
{
	get_self(g, 0);
	define(g, hidden_reg(g, HIDDEN_SELF), R0);
}

void prepare_write(struct gen *g, const struct ir_mem *mem, uint32_t value,
		   bool is_zero, label lost)
{
	if (mem->space != IR_SELF)
		return;
	label have = label_new(&g->e), made = label_new(&g->e);

	use_in(g, hidden_reg(g, HIDDEN_SELF), R0);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R0, 0, 0), have);
	if (is_zero) {
		emit_goto(&g->e, lost);
		label_bind(&g->e, made);
		label_bind(&g->e, have);
		return;
	}
	if (value)
		emit_jump(&g->e,
			  insn_jump_imm(BPF_JEQ, use(g, value, R1), 0, 0),
			  lost);
	get_self(g, BPF_LOCAL_STORAGE_GET_F_CREATE);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R0, 0, 0), made);
	count_in_state(g, offsetof(struct abi_state, dynamic_drops));
	emit_goto(&g->e, lost);
	label_bind(&g->e, made);
	define(g, hidden_reg(g, HIDDEN_SELF), R0);
	label_bind(&g->e, have);
}

/* ------------------------------------------------------------------- spots */

void spot_address(struct gen *g, struct spot spot, int dst)
{
	emit_mov(&g->e, dst, spot.reg);
	emit_add(&g->e, dst, spot.offset);
}

static struct spot base_spot(struct gen *g, const struct ir_mem *mem, int temp)
{
	struct spot spot = { .reg = temp, .offset = (int32_t)mem->offset };
	const struct object_home *home;

	if (!fits_imm(mem->offset))
		emit_fail(&g->e, "a memory offset does not fit 32 bits");
	switch (mem->space) {
	case IR_FRAME:
		home = &g->objects[mem->object];
		spot.offset += home->offset;
		spot.on_stack = home->on_stack;
		spot.reg = home->on_stack
				   ? R10
				   : use(g, hidden_reg(g, HIDDEN_SCRATCH),
					 temp);
		break;
	case IR_GLOBAL:
		emit_map_value(&g->e, temp, MAP_GLOBALS, (uint32_t)mem->offset);
		spot.offset = 0;
		break;
	case IR_RODATA:
		emit_map_value(&g->e, temp, MAP_RODATA, (uint32_t)mem->offset);
		spot.offset = 0;
		break;
	case IR_STATE:
		emit_map_value(&g->e, temp, MAP_STATE, (uint32_t)mem->offset);
		spot.offset = 0;
		break;
	case IR_SELF:
		spot.reg = use(g, hidden_reg(g, HIDDEN_SELF), temp);
		break;
	case IR_RECORD:
		spot.reg = use(g, hidden_reg(g, HIDDEN_RECORD), temp);
		break;
	case IR_CONTEXT:
		spot.reg = use(g, hidden_reg(g, HIDDEN_CONTEXT), temp);
		break;
	case IR_TYPED:
	case IR_KERNEL:
	case IR_USER:
		spot.reg = use(g, mem->base, temp);
		break;
	case IR_SCRATCH:
	case IR_NOWHERE:
		emit_fail(&g->e, "an access to memory without a place");
		break;
	}
	return spot;
}

static bool is_indexed(const struct ir_mem *mem)
{
	return mem->base && mem->space != IR_TYPED && mem->space != IR_KERNEL &&
	       mem->space != IR_USER;
}

/*
 * The index is below its bound by construction; the verifier wants to see it.
 * The test comes right before the addition, because 6.1 forgets bounds when
 * values are moved ("unbounded memory access").
 */
static void add_index(struct gen *g, const struct ir_mem *mem,
		      struct spot *spot, int temp, int temp2)
{
	uint32_t limit = mem->bound ? mem->bound - 1 : 0;
	label fine = label_new(&g->e);

	emit_mov(&g->e, temp, spot->reg);
	use_in(g, mem->base, temp2);
	if (limit > INT32_MAX)
		emit_fail(&g->e, "an index has too large a bound");
	emit_jump(&g->e, insn_jump_imm(BPF_JLE, temp2, (int32_t)limit, 0),
		  fine);
	out(g, insn_mov_imm(temp2, 0));
	label_bind(&g->e, fine);
	out(g, insn_alu(BPF_ADD, temp, temp2));
	spot->reg = temp;
}

/* Offsets of instructions have 16 bits. */
static struct spot in_reach(struct gen *g, struct spot spot, uint32_t span,
			    int temp)
{
	int64_t end = (int64_t)spot.offset + (span < 512 ? span : 512);

	if (spot.offset >= -MAX_OFFSET && end <= MAX_OFFSET)
		return spot;
	spot_address(g, spot, temp);
	return (struct spot){ .reg = temp };
}

struct spot locate(struct gen *g, const struct ir_mem *mem, uint32_t span,
		   int temp, int temp2)
{
	struct spot spot = base_spot(g, mem, temp);

	if (is_indexed(mem))
		add_index(g, mem, &spot, temp, temp2);
	return in_reach(g, spot, span, temp);
}

struct spot spot_at(struct gen *g, struct spot spot, uint32_t at, uint32_t span,
		    int temp)
{
	spot.offset += (int32_t)at;
	return in_reach(g, spot, span, temp);
}

struct spot locate_source(struct gen *g, const struct ir_mem *mem,
			  uint32_t span, int temp, int temp2)
{
	if (mem->space != IR_SELF)
		return locate(g, mem, span, temp, temp2);
	label missing = label_new(&g->e), done = label_new(&g->e);

	use_in(g, hidden_reg(g, HIDDEN_SELF), temp);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, temp, 0, 0), missing);
	emit_add(&g->e, temp, mem->offset);
	emit_goto(&g->e, done);
	label_bind(&g->e, missing);
	emit_map_value(&g->e, temp, MAP_RODATA, g->zeros_offset);
	label_bind(&g->e, done);
	return (struct spot){ .reg = temp };
}

uint32_t spot_chunk(struct spot a, struct spot b, uint32_t at, uint32_t left)
{
	uint32_t size = 8;

	while (size > left ||
	       (a.on_stack && ((uint32_t)a.offset + at) % size) ||
	       (b.on_stack && ((uint32_t)b.offset + at) % size))
		size /= 2;
	return size;
}

/* ------------------------------------------------------------------ blocks */

static int16_t at_offset(struct spot spot, uint32_t at)
{
	return (int16_t)(spot.offset + (int32_t)at);
}

static void clear_inline(struct gen *g, struct spot to, uint32_t size)
{
	for (uint32_t at = 0, chunk; at < size; at += chunk) {
		chunk = spot_chunk(to, to, at, size - at);
		out(g,
		    insn_store_imm((int)chunk, to.reg, at_offset(to, at), 0));
	}
}

/* Whole words by the library, the rest here; to.reg is kept. */
static void clear_by_library(struct gen *g, struct spot to, uint32_t size)
{
	uint32_t words = size & ~7u;
	bool is_lost = to.reg <= R5;

	if (is_lost)
		out(g, insn_store(8, R10, TEMP_MESSAGE, to.reg));
	if (size > words)
		clear_inline(g, spot_at(g, to, words, size - words, R3),
			     size - words);
	call_library(g, FUNCTION_clear, to, words, to, words);
	if (is_lost)
		out(g, insn_load(8, to.reg, R10, TEMP_MESSAGE));
}

void clear_bytes(struct gen *g, struct spot to, uint32_t size)
{
	if (size <= INLINE_BYTES) {
		clear_inline(g, to, size);
		return;
	}
	if (size > LIBRARY_BYTES) {
		clear_by_library(g, to, size);
		return;
	}
	label again = label_new(&g->e);
	struct spot step = { .reg = R3, .on_stack = false };

	spot_address(g, to, R3);
	out(g, insn_mov_imm(R4, (int32_t)(size / LOOP_BYTES)));
	label_bind(&g->e, again);
	clear_inline(g, step, LOOP_BYTES);
	emit_add(&g->e, R3, LOOP_BYTES);
	emit_add(&g->e, R4, -1);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R4, 0, 0), again);
	clear_inline(g, step, size % LOOP_BYTES);
}

void copy_bytes(struct gen *g, struct spot to, struct spot from, uint32_t size)
{
	if (size > INLINE_BYTES) {
		spot_address(g, from, R3);
		spot_address(g, to, R1);
		out(g, insn_mov_imm(R2, (int32_t)size));
		out(g, insn_call(BPF_FUNC_probe_read_kernel));
		return;
	}
	for (uint32_t at = 0, chunk; at < size; at += chunk) {
		chunk = spot_chunk(to, from, at, size - at);
		out(g,
		    insn_load((int)chunk, R0, from.reg, at_offset(from, at)));
		out(g, insn_store((int)chunk, to.reg, at_offset(to, at), R0));
	}
}

/* --------------------------------------------------------------- templates */

static void gen_load_self(struct gen *g, const struct ir_insn *insn)
{
	label done = label_new(&g->e);

	use_in(g, hidden_reg(g, HIDDEN_SELF), R1);
	out(g, insn_mov_imm(R0, 0));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R1, 0, 0), done);
	struct spot spot =
		in_reach(g,
			 (struct spot){ R1, (int32_t)insn->mem.offset, false },
			 insn->size, R1);

	out(g, insn_load(insn->size, R0, spot.reg, (int16_t)spot.offset));
	if (insn->is_signed)
		gen_extend(g, R0, insn->size, true);
	label_bind(&g->e, done);
	define(g, insn->dst, R0);
}

static void gen_load(struct gen *g, const struct ir_insn *insn)
{
	if (insn->mem.space == IR_SELF) {
		gen_load_self(g, insn);
		return;
	}
	int dst = target(g, insn->dst, R0);
	struct spot spot = locate(g, &insn->mem, insn->size, R1, R2);
	/*
	 * Contexts may only be read by whole words; trace records are not
	 * contexts.
	 */
	bool is_context = insn->mem.space == IR_CONTEXT &&
			  g->config->kind.type != BPF_PROG_TYPE_TRACEPOINT;

	out(g, insn_load(is_context ? 8 : insn->size, dst, spot.reg,
			 (int16_t)spot.offset));
	if (insn->is_signed || is_context)
		gen_extend(g, dst, insn->size, insn->is_signed);
	define(g, insn->dst, dst);
}

static void gen_store(struct gen *g, const struct ir_insn *insn)
{
	label lost = label_new(&g->e);
	int64_t value = 0;
	bool is_fixed = is_constant(g, insn->a, &value);

	prepare_write(g, &insn->mem, is_fixed ? 0 : insn->a, is_fixed && !value,
		      lost);
	struct spot spot = locate(g, &insn->mem, insn->size, R1, R2);

	if (is_fixed && fits_imm(value))
		out(g, insn_store_imm(insn->size, spot.reg,
				      (int16_t)spot.offset, (int32_t)value));
	else
		out(g, insn_store(insn->size, spot.reg, (int16_t)spot.offset,
				  use(g, insn->a, R0)));
	label_bind(&g->e, lost);
}

static void gen_atomic_add(struct gen *g, const struct ir_insn *insn)
{
	label lost = label_new(&g->e);

	prepare_write(g, &insn->mem, 0, false, lost);
	struct spot spot = locate(g, &insn->mem, insn->size, R1, R2);

	out(g, insn_atomic(insn->size, BPF_ADD, spot.reg, (int16_t)spot.offset,
			   use(g, insn->a, R0)));
	label_bind(&g->e, lost);
}

static void gen_copy(struct gen *g, const struct ir_insn *insn)
{
	label lost = label_new(&g->e);
	uint32_t size = (uint32_t)insn->imm;

	prepare_write(g, &insn->mem, 0, false, lost);
	struct spot from = locate_source(g, &insn->source, size, R1, R2);
	struct spot to = locate(g, &insn->mem, size, R2, R0);

	copy_bytes(g, to, from, size);
	label_bind(&g->e, lost);
}

static void gen_clear(struct gen *g, const struct ir_insn *insn)
{
	label lost = label_new(&g->e);
	uint32_t size = (uint32_t)insn->imm;

	prepare_write(g, &insn->mem, 0, true, lost);
	if (insn->b) {
		/* Unreadable memory leaves zeros. */
		spot_address(g, locate(g, &insn->mem, size, R1, R2), R1);
		read_size(g, insn, size);
		out(g, insn_mov_imm(R3, 0));
		out(g, insn_call(BPF_FUNC_probe_read_kernel));
		return;
	}
	clear_bytes(g, locate(g, &insn->mem, size, R1, R2), size);
	label_bind(&g->e, lost);
}

/*
 * The address as a number: what goes through the memory of a map has no type
 * when it comes back, so that the verifier allows arithmetic on it.
 */
static void gen_frame_address(struct gen *g, const struct ir_insn *insn)
{
	struct ir_mem word = insn->mem;
	struct spot spot = locate(g, &insn->mem, (uint32_t)insn->imm, R1, R2);

	spot_address(g, spot, R0);
	word.offset += insn->imm;
	spot = locate(g, &word, 8, R1, R2);
	out(g, insn_store(8, spot.reg, (int16_t)spot.offset, R0));
	out(g, insn_load(8, R0, spot.reg, (int16_t)spot.offset));
	define(g, insn->dst, R0);
}

/* The same; a concurrent writer writes the same value. */
static void gen_global_address(struct gen *g, const struct ir_insn *insn)
{
	spot_address(g, locate(g, &insn->mem, 8, R1, R2), R1);
	out(g, insn_store(8, R1, 0, R1));
	out(g, insn_load(8, R0, R1, 0));
	define(g, insn->dst, R0);
}

static void gen_self_address(struct gen *g, const struct ir_insn *insn)
{
	label done = label_new(&g->e);

	use_in(g, hidden_reg(g, HIDDEN_SELF), R1);
	out(g, insn_mov_imm(R0, 0));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R1, 0, 0), done);
	emit_add(&g->e, R1, insn->mem.offset);
	out(g, insn_store(8, R1, 0, R1));
	out(g, insn_load(8, R0, R1, 0));
	label_bind(&g->e, done);
	define(g, insn->dst, R0);
}

void gen_memory(struct gen *g, const struct ir_insn *insn)
{
	switch (insn->op) {
	case IR_LOAD:
		gen_load(g, insn);
		break;
	case IR_STORE:
		gen_store(g, insn);
		break;
	case IR_ATOMIC_ADD:
		gen_atomic_add(g, insn);
		break;
	case IR_COPY:
		gen_copy(g, insn);
		break;
	case IR_CLEAR:
		gen_clear(g, insn);
		break;
	default:
		if (insn->mem.space == IR_FRAME) {
			gen_frame_address(g, insn);
			break;
		}
		if (insn->mem.space == IR_GLOBAL) {
			gen_global_address(g, insn);
			break;
		}
		if (insn->mem.space == IR_SELF) {
			gen_self_address(g, insn);
			break;
		}
		use_in(g,
		       insn->mem.space == IR_CONTEXT
			       ? hidden_reg(g, HIDDEN_CONTEXT)
			       : insn->mem.base,
		       R0);
		emit_add(&g->e, R0, insn->mem.offset);
		define(g, insn->dst, R0);
	}
}
