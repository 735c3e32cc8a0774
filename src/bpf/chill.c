/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chill(): a busy wait, at most half a second out of every second on a CPU.
 *
 * The wait is bpf_loop() with a function that reads the clock, since no other
 * loop may be that long.  One call iterates at most 2^23 times, about 30 ns
 * each, so there are two.
 */
#include "bpf/gen.h"

#include <stddef.h>

enum {
	MOST_NS = 500 * 1000 * 1000,
	WINDOW_NS = 1000 * 1000 * 1000,
	TURNS = 1 << 23,
	CALLS = 2,
};

/* R0 = now, R5 = ring of this CPU; the window is up to date. */
static void enter_window(struct gen *g, label refused)
{
	label same = label_new(&g->e);

	lookup_cpu(g, MAP_RINGS, 0, refused);
	out(g, insn_store(8, R10, TEMP_B, R0));
	out(g, insn_call(BPF_FUNC_ktime_get_ns));
	out(g, insn_load(8, R5, R10, TEMP_B));
	out(g, insn_load(8, R1, R5, offsetof(struct abi_ring, chill_start)));
	out(g, insn_mov(R2, R0));
	out(g, insn_alu(BPF_SUB, R2, R1));
	emit_jump(&g->e, insn_jump_imm(BPF_JLE, R2, WINDOW_NS, 0), same);
	out(g, insn_store(8, R5, offsetof(struct abi_ring, chill_start), R0));
	out(g, insn_mov_imm(R2, 0));
	out(g, insn_store(8, R5, offsetof(struct abi_ring, chill_spent), R2));
	label_bind(&g->e, same);
}

void gen_chill(struct gen *g, const struct ir_insn *insn)
{
	label refused = label_new(&g->e), done = label_new(&g->e);

	emit_jump(&g->e,
		  insn_jump_imm(BPF_JGT, use(g, insn->a, R0), MOST_NS, 0),
		  refused);
	enter_window(g, refused);
	out(g, insn_load(8, R1, R5, offsetof(struct abi_ring, chill_spent)));
	use_in(g, insn->a, R2);
	out(g, insn_alu(BPF_ADD, R1, R2));
	emit_jump(&g->e, insn_jump_imm(BPF_JGT, R1, MOST_NS, 0), refused);
	out(g, insn_store(8, R5, offsetof(struct abi_ring, chill_spent), R1));
	out(g, insn_alu(BPF_ADD, R0, R2));
	out(g, insn_store(8, R10, TEMP_A, R0));
	for (unsigned i = 0; i < CALLS; i++) {
		uint32_t *uses = arena_array_of(g->arena, uint32_t,
						g->nchills + 1);

		for (uint32_t n = 0; n < g->nchills; n++)
			uses[n] = g->chills[n];
		g->chills = uses;
		out(g, insn_mov_imm(R1, TURNS));
		g->chills[g->nchills++] = g->e.count;
		emit_function(&g->e, R2);
		out(g, insn_mov(R3, R10));
		emit_add(&g->e, R3, TEMP_A);
		out(g, insn_mov_imm(R4, 0));
		out(g, insn_call(BPF_FUNC_loop));
	}
	out(g, insn_mov_imm(R0, 1));
	emit_goto(&g->e, done);
	label_bind(&g->e, refused);
	out(g, insn_mov_imm(R0, 0));
	label_bind(&g->e, done);
	define(g, insn->dst, R0);
}

/* int until(turn, end): 1, which ends the loop, when that time has come */
void gen_chill_callback(struct gen *g)
{
	label on = label_new(&g->e);

	g->callback = g->e.count;
	for (uint32_t i = 0; i < g->nchills; i++)
		g->e.insns[g->chills[i]].imm = (int32_t)(g->callback -
							 g->chills[i] - 1);
	out(g, insn_mov(R6, R2));
	out(g, insn_call(BPF_FUNC_ktime_get_ns));
	out(g, insn_load(8, R1, R6, 0));
	out(g, insn_mov(R2, R0));
	out(g, insn_mov_imm(R0, 0));
	emit_jump(&g->e, insn_jump(BPF_JLT, R2, R1, 0), on);
	out(g, insn_mov_imm(R0, 1));
	label_bind(&g->e, on);
	out(g, insn_exit());
}
