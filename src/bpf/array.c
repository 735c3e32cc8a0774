/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Associative arrays: elements of the kernel's hash tables.
 *
 * An existing element is loaded and stored in place, which is several times
 * cheaper than an update and disturbs no other element; only a new one goes
 * through the kernel's update.  If that fails (the table is full, its bucket is
 * held by the code we interrupted, no memory), a dynamic variable drop is
 * counted, and the store is lost.
 *
 * Between finding an element and storing to it, another CPU may free it and
 * reuse it for another key; so what two CPUs do to one element at the same time
 * may be lost.  D promises no more than that.
 */
#include "bpf/gen.h"

#include <errno.h>
#include <stddef.h>

/* R1 = the table, R2 = address of the key; R3 and R4 are kept. */
static void key_address(struct gen *g, const struct ir_insn *insn)
{
	spot_address(g, locate(g, &insn->source, (uint32_t)insn->imm2, R2, R5),
		     R2);
	emit_map(&g->e, R1, MAP_ARRAY, (uint32_t)insn->imm);
}

/* R0 = the element, or NULL. */
static void find(struct gen *g, const struct ir_insn *insn)
{
	key_address(g, insn);
	out(g, insn_call(BPF_FUNC_map_lookup_elem));
}

/* Table, key and value are in R1, R2, R3; R0 = error where it is lost. */
static void insert(struct gen *g, uint64_t flags, label lost)
{
	out(g, insn_mov_imm(R4, (int32_t)flags));
	out(g, insn_call(BPF_FUNC_map_update_elem));
	/* 32 bits: 6.1 gives errors that are not sign-extended. */
	emit_jump(&g->e, insn_jump32_imm(BPF_JNE, R0, 0, 0), lost);
}

/* R0 = -1 when there was such an element, else 0. */
static void remove_element(struct gen *g, const struct ir_insn *insn)
{
	label none = label_new(&g->e), done = label_new(&g->e);

	key_address(g, insn);
	out(g, insn_call(BPF_FUNC_map_delete_elem));
	emit_jump(&g->e, insn_jump32_imm(BPF_JNE, R0, 0, 0), none);
	out(g, insn_mov_imm(R0, -1));
	emit_goto(&g->e, done);
	label_bind(&g->e, none);
	out(g, insn_mov_imm(R0, 0));
	label_bind(&g->e, done);
}

static void finish(struct gen *g, const struct ir_insn *insn)
{
	if (insn->dst)
		define(g, insn->dst, R0);
}

static void array_load(struct gen *g, const struct ir_insn *insn)
{
	label absent = label_new(&g->e), done = label_new(&g->e);

	find(g, insn);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), absent);
	out(g, insn_load(insn->size, R0, R0, 0));
	if (insn->is_signed)
		gen_extend(g, R0, insn->size, true);
	emit_goto(&g->e, done);
	label_bind(&g->e, absent);
	out(g, insn_mov_imm(R0, 0));
	label_bind(&g->e, done);
	define(g, insn->dst, R0);
}

static void array_read(struct gen *g, const struct ir_insn *insn)
{
	label absent = label_new(&g->e), done = label_new(&g->e);
	uint32_t size = g->program->arrays[insn->imm].value_size;

	find(g, insn);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), absent);
	out(g, insn_mov(R3, R0));
	copy_bytes(g, locate(g, &insn->mem, size, R1, R2),
		   (struct spot){ .reg = R3 }, size);
	emit_goto(&g->e, done);
	label_bind(&g->e, absent);
	clear_bytes(g, locate(g, &insn->mem, size, R1, R2), size);
	label_bind(&g->e, done);
}

static void count_drop(struct gen *g)
{
	count_in_state(g, offsetof(struct abi_state, dynamic_drops));
	out(g, insn_mov_imm(R0, 0));
}

static void array_store(struct gen *g, const struct ir_insn *insn)
{
	label zero = label_new(&g->e), absent = label_new(&g->e);
	label lost = label_new(&g->e), done = label_new(&g->e);
	int64_t value = 0;
	bool is_fixed = is_constant(g, insn->a, &value);

	if (is_fixed && !value) {
		remove_element(g, insn);
		finish(g, insn);
		return;
	}
	if (!is_fixed)
		emit_jump(&g->e,
			  insn_jump_imm(BPF_JEQ, use(g, insn->a, R0), 0, 0),
			  zero);
	find(g, insn);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), absent);
	out(g, insn_store(insn->size, R0, 0, use(g, insn->a, R1)));
	out(g, insn_mov_imm(R0, 0));
	emit_goto(&g->e, done);

	label_bind(&g->e, absent);
	out(g, insn_store(8, R10, TEMP_A, use(g, insn->a, R0)));
	key_address(g, insn);
	out(g, insn_mov(R3, R10));
	emit_add(&g->e, R3, TEMP_A);
	insert(g, BPF_ANY, lost);
	out(g, insn_mov_imm(R0, 1));
	emit_goto(&g->e, done);

	label_bind(&g->e, lost);
	count_drop(g);
	if (!is_fixed) {
		emit_goto(&g->e, done);
		label_bind(&g->e, zero);
		remove_element(g, insn);
	}
	label_bind(&g->e, done);
	finish(g, insn);
}

static void array_write(struct gen *g, const struct ir_insn *insn)
{
	label absent = label_new(&g->e), lost = label_new(&g->e);
	label done = label_new(&g->e);
	uint32_t size = g->program->arrays[insn->imm].value_size;

	find(g, insn);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), absent);
	out(g, insn_mov(R4, R0));
	copy_bytes(g, (struct spot){ .reg = R4 },
		   locate(g, &insn->mem, size, R3, R2), size);
	out(g, insn_mov_imm(R0, 0));
	emit_goto(&g->e, done);

	label_bind(&g->e, absent);
	spot_address(g, locate(g, &insn->mem, size, R3, R2), R3);
	key_address(g, insn);
	insert(g, BPF_ANY, lost);
	out(g, insn_mov_imm(R0, 1));
	emit_goto(&g->e, done);
	label_bind(&g->e, lost);
	count_drop(g);
	label_bind(&g->e, done);
	finish(g, insn);
}

/* Element at R0: add, R0 = what it was; an element that became 0 is removed. */
static void add_in_place(struct gen *g, const struct ir_insn *insn, label done)
{
	label kept = label_new(&g->e);

	use_in(g, insn->a, R1);
	out(g, insn_atomic(insn->size, BPF_ADD | BPF_FETCH, R0, 0, R1));
	out(g, insn_store(8, R10, TEMP_B, R1));
	out(g, insn_alu(BPF_ADD, R1, use(g, insn->a, R2)));
	gen_extend(g, R1, insn->size, false);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R1, 0, 0), kept);
	remove_element(g, insn);
	label_bind(&g->e, kept);
	out(g, insn_load(8, R0, R10, TEMP_B));
	if (insn->size < 8)
		gen_extend(g, R0, insn->size, insn->is_signed);
	emit_goto(&g->e, done);
}

static void array_add(struct gen *g, const struct ir_insn *insn)
{
	label absent = label_new(&g->e), again = label_new(&g->e);
	label lost = label_new(&g->e), done = label_new(&g->e);

	int64_t amount;

	find(g, insn);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), absent);
	add_in_place(g, insn, done);

	label_bind(&g->e, absent);
	if (!is_constant(g, insn->a, &amount)) {
		out(g, insn_mov_imm(R0, 0));
		emit_jump(&g->e,
			  insn_jump_imm(BPF_JEQ, use(g, insn->a, R1), 0, 0),
			  done);
	}
	out(g, insn_store(8, R10, TEMP_A, use(g, insn->a, R0)));
	key_address(g, insn);
	out(g, insn_mov(R3, R10));
	emit_add(&g->e, R3, TEMP_A);
	insert(g, BPF_NOEXIST, again);
	out(g, insn_mov_imm(R0, 0));
	emit_goto(&g->e, done);

	/* Another CPU was faster: add to what it made. */
	label_bind(&g->e, again);
	emit_jump(&g->e, insn_jump32_imm(BPF_JNE, R0, -EEXIST, 0), lost);
	find(g, insn);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), lost);
	add_in_place(g, insn, done);

	label_bind(&g->e, lost);
	count_drop(g);
	label_bind(&g->e, done);
	finish(g, insn);
}

/* --------------------------------------------------------------- sweeping */

static void array_sweep(struct gen *g, const struct ir_insn *insn)
{
	uint32_t *sweeps = arena_array_of(g->arena, uint32_t, g->nsweeps + 1);

	for (uint32_t i = 0; i < g->nsweeps; i++)
		sweeps[i] = g->sweeps[i];
	g->sweeps = sweeps;
	out(g, insn_store(8, R10, TEMP_MESSAGE, use(g, insn->a, R0)));
	out(g, insn_store(8, R10, TEMP_MESSAGE + 8, use(g, insn->b, R0)));
	emit_map(&g->e, R1, MAP_ARRAY, (uint32_t)insn->imm);
	g->sweeps[g->nsweeps++] = g->e.count;
	emit_function(&g->e, R2);
	out(g, insn_mov(R3, R10));
	emit_add(&g->e, R3, TEMP_MESSAGE);
	out(g, insn_mov_imm(R4, 0));
	out(g, insn_call(BPF_FUNC_for_each_map_elem));
}

/* int each(map, key, value, words): our words start the key: remove it. */
void gen_array_callback(struct gen *g)
{
	label keep = label_new(&g->e);

	g->callback = g->e.count;
	for (uint32_t i = 0; i < g->nsweeps; i++)
		g->e.insns[g->sweeps[i]].imm = (int32_t)(g->callback -
							 g->sweeps[i] - 1);
	for (int16_t at = 0; at < 16; at += 8) {
		out(g, insn_load(8, R0, R2, at));
		out(g, insn_load(8, R5, R4, at));
		emit_jump(&g->e, insn_jump(BPF_JNE, R0, R5, 0), keep);
	}
	out(g, insn_call(BPF_FUNC_map_delete_elem));
	label_bind(&g->e, keep);
	out(g, insn_mov_imm(R0, 0));
	out(g, insn_exit());
}

void gen_array(struct gen *g, const struct ir_insn *insn)
{
	switch (insn->op) {
	case IR_ARRAY_LOAD:
		array_load(g, insn);
		break;
	case IR_ARRAY_READ:
		array_read(g, insn);
		break;
	case IR_ARRAY_STORE:
		array_store(g, insn);
		break;
	case IR_ARRAY_WRITE:
		array_write(g, insn);
		break;
	case IR_ARRAY_DELETE:
		remove_element(g, insn);
		finish(g, insn);
		break;
	case IR_ARRAY_ADD:
		array_add(g, insn);
		break;
	default:
		array_sweep(g, insn);
	}
}
