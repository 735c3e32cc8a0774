/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speculations in the kernel: taking an id, finding its ring, giving it back.
 *
 * Every id has a word (generation and state, abi.h) that changes by compare and
 * exchange, and a bit in a mask of free ids.  The program that clears the bit
 * owns the id and makes it active.  commit() and discard() only change the
 * word: user space empties the rings and frees the id.  commit() also leaves a
 * small record in the principal buffer, in whose place the content will be
 * printed; without room for that the content is lost as one drop.
 */
#include "bpf/gen.h"

#include <stddef.h>

enum { SPEC_SHIFT = 6 }; /* sizeof(struct abi_spec) is 64 */

static uint32_t nspec_rounded(const struct gen *g)
{
	uint32_t n = 1;

	while (n < g->config->nspec)
		n *= 2;
	return n;
}

/* reg = pointer to specs[reg]; uses `temp` */
static void point_to_spec(struct gen *g, int reg, int temp)
{
	out(g, insn_alu_imm(BPF_LSH, reg, SPEC_SHIFT));
	out(g, insn_alu_imm(BPF_AND, reg,
			    (int32_t)((nspec_rounded(g) - 1) << SPEC_SHIFT)));
	emit_map_value(&g->e, temp, MAP_SPECS, sizeof(struct abi_specs));
	out(g, insn_alu(BPF_ADD, reg, temp));
}

void spec_locate(struct gen *g, uint32_t id, int reg)
{
	use_in(g, id, reg);
	emit_add(&g->e, reg, -1);
	point_to_spec(g, reg, R0);
}

/* R0 = word of [R5], if its state is ACTIVE */
static void load_active(struct gen *g, label inactive)
{
	out(g, insn_load(8, R0, R5, 0));
	out(g, insn_mov(R1, R0));
	out(g, insn_alu_imm(BPF_AND, R1, (1 << SPEC_STATE_BITS) - 1));
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R1, SPEC_ACTIVE, 0), inactive);
}

void spec_ring(struct gen *g, uint32_t id, label inactive)
{
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, use(g, id, R0), 0, 0),
		  inactive);
	spec_locate(g, id, R5);
	load_active(g, inactive);
	out(g, insn_store(8, R10, TEMP_B, R0));
	out(g, insn_call(BPF_FUNC_get_smp_processor_id));
	out(g, insn_alu_imm(BPF_MUL, R0, (int32_t)g->config->nspec));
	out(g, insn_alu(BPF_ADD, R0, use(g, id, R1)));
	emit_add(&g->e, R0, -1);
	out(g, insn_store(4, R10, TEMP_KEY, R0));
	emit_map(&g->e, R1, MAP_SPEC_RINGS, 0);
	out(g, insn_mov(R2, R10));
	emit_add(&g->e, R2, TEMP_KEY);
	out(g, insn_call(BPF_FUNC_map_lookup_elem));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), inactive);
}

/* The lowest free id of 64: R2 = its bit; none: falls through. */
static void take_bit(struct gen *g, uint32_t word, label taken)
{
	label none = label_new(&g->e);

	out(g, insn_load(8, R1, R5, (int16_t)(8 * word)));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R1, 0, 0), none);
	out(g, insn_mov(R2, R1));
	out(g, insn_neg(R2));
	out(g, insn_alu(BPF_AND, R2, R1));
	out(g, insn_mov(R0, R2));
	out(g, insn_alu_imm(BPF_XOR, R0, -1));
	out(g,
	    insn_atomic(8, BPF_AND | BPF_FETCH, R5, (int16_t)(8 * word), R0));
	out(g, insn_alu(BPF_AND, R0, R2));
	out(g, insn_mov_imm(R3, (int32_t)(64 * word)));
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R0, 0, 0), taken);
	label_bind(&g->e, none);
}

/* Count why none is free. */
static void count_failure(struct gen *g)
{
	label busy = label_new(&g->e), done = label_new(&g->e);

	out(g, insn_load(8, R0, R5, offsetof(struct abi_specs, busy)));
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R0, 0, 0), busy);
	count_in_state(g, offsetof(struct abi_state, spec_unavailable));
	emit_goto(&g->e, done);
	label_bind(&g->e, busy);
	count_in_state(g, offsetof(struct abi_state, spec_busy));
	label_bind(&g->e, done);
}

void gen_speculation(struct gen *g, const struct ir_insn *insn)
{
	enum { TRIES = 2 }; /* another CPU may take the bit we saw */
	label taken = label_new(&g->e), done = label_new(&g->e);

	emit_map_value(&g->e, R5, MAP_SPECS, 0);
	for (unsigned try = 0; try < TRIES; try++)
		for (uint32_t i = 0; i < (g->config->nspec + 63) / 64; i++)
			take_bit(g, i, taken);
	count_failure(g);
	out(g, insn_mov_imm(R0, 0));
	emit_goto(&g->e, done);

	/*
	 * Number of the bit by multiplication and a table: paths that know the
	 * number would make the verifier walk the rest once for each.
	 */
	label_bind(&g->e, taken);
	emit_const(&g->e, R0, (int64_t)SPEC_BIT_FACTOR);
	out(g, insn_alu(BPF_MUL, R2, R0));
	out(g, insn_alu_imm(BPF_RSH, R2, 58));
	out(g, insn_alu_imm(BPF_AND, R2, 63));
	out(g, insn_alu(BPF_ADD, R5, R2));
	out(g, insn_load(1, R4, R5, offsetof(struct abi_specs, bit_index)));
	out(g, insn_alu(BPF_ADD, R4, R3));

	/* next generation, active */
	out(g, insn_mov(R5, R4));
	point_to_spec(g, R5, R0);
	out(g, insn_load(8, R0, R5, 0));
	out(g, insn_alu_imm(BPF_RSH, R0, SPEC_STATE_BITS));
	emit_add(&g->e, R0, 1);
	out(g, insn_alu_imm(BPF_LSH, R0, SPEC_STATE_BITS));
	out(g, insn_alu_imm(BPF_OR, R0, SPEC_ACTIVE));
	out(g, insn_store(8, R5, 0, R0));
	out(g, insn_mov(R0, R4));
	emit_add(&g->e, R0, 1);
	label_bind(&g->e, done);
	if (!is_dead(g, insn->dst))
		define(g, insn->dst, R0);
}

static void leave_record(struct gen *g, const struct ir_insn *insn, label done)
{
	label full = label_new(&g->e);

	record_claim(g, insn, sizeof(struct abi_commit), full);
	out(g, insn_store(8, R5, offsetof(struct abi_commit, id),
			  use(g, insn->speculation, R0)));
	out(g, insn_load(8, R0, R10, TEMP_B));
	out(g, insn_store(8, R5, offsetof(struct abi_commit, word), R0));
	record_publish(g, sizeof(struct abi_commit), RECORD_COMMIT);
	emit_goto(&g->e, done);

	label_bind(&g->e, full);
	spec_locate(g, insn->speculation, R5);
	out(g, insn_load(8, R0, R5, 0));
	emit_add(&g->e, R0, SPEC_DISCARDING - SPEC_COMMITTING);
	out(g, insn_store(8, R5, 0, R0));
}

void gen_retire(struct gen *g, const struct ir_insn *insn)
{
	bool commits = insn->op == IR_COMMIT;
	label done = label_new(&g->e);

	emit_jump(&g->e,
		  insn_jump_imm(BPF_JEQ, use(g, insn->speculation, R0), 0, 0),
		  done);
	spec_locate(g, insn->speculation, R5);
	load_active(g, done);
	out(g, insn_mov(R1, R0));
	out(g, insn_mov(R3, R0));
	emit_add(&g->e, R3,
		 (commits ? SPEC_COMMITTING : SPEC_DISCARDING) - SPEC_ACTIVE);
	out(g, insn_store(8, R10, TEMP_B, R3));
	/* counted before it can be found, so that the count is never too low */
	emit_map_value(&g->e, R4, MAP_SPECS, offsetof(struct abi_specs, busy));
	out(g, insn_mov_imm(R2, 1));
	out(g, insn_atomic(8, BPF_ADD, R4, 0, R2));
	out(g, insn_atomic(8, BPF_CMPXCHG, R5, 0, R3));
	label ours = label_new(&g->e);

	emit_jump(&g->e, insn_jump(BPF_JEQ, R0, R1, 0), ours);
	out(g, insn_mov_imm(R2, -1));
	out(g, insn_atomic(8, BPF_ADD, R4, 0, R2));
	emit_goto(&g->e, done);
	label_bind(&g->e, ours);
	if (commits)
		leave_record(g, insn, done);
	label_bind(&g->e, done);
}
