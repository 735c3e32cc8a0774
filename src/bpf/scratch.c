/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scratch slots: frame memory that is too big for the stack.
 *
 * One map element per CPU: a busy mask, then SCRATCH_SLOTS slots.  Programs on
 * one CPU nest (interrupts, NMIs) and are preempted in any order (user probes),
 * so a slot is claimed by setting its bit and released on every exit; a nesting
 * counter would not suffice.  None free: the firing is counted as a scratch
 * drop and ends.
 *
 * The number of the slot is computed from the bit instead of being known on
 * eight different paths, so that the verifier walks the rest of the program
 * once and not eight times.  Any one-to-one mapping from bit to slot works:
 * multiplying by 0x17 moves three distinct bits into place.
 */
#include "bpf/gen.h"

#include <stddef.h>

enum { CLAIM_TRIES = 4, SLOT_FACTOR = 0x17, SLOT_SHIFT = 5 };

void gen_scratch_claim(struct gen *g)
{
	label again = label_new(&g->e), claimed = label_new(&g->e);
	label none = label_new(&g->e);

	lookup_cpu(g, MAP_SCRATCH, 0, g->leave_bare);
	out(g, insn_mov(R5, R0));
	out(g, insn_mov_imm(R4, CLAIM_TRIES));
	label_bind(&g->e, again);
	/* R1 = lowest clear bit of the mask */
	out(g, insn_load(8, R0, R5, 0));
	out(g, insn_mov(R1, R0));
	out(g, insn_alu_imm(BPF_ADD, R1, 1));
	out(g, insn_alu_imm(BPF_XOR, R0, -1));
	out(g, insn_alu(BPF_AND, R1, R0));
	out(g, insn_alu_imm(BPF_AND, R1, (1 << SCRATCH_SLOTS) - 1));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R1, 0, 0), none);
	out(g, insn_mov(R0, R1));
	out(g, insn_atomic(8, BPF_OR | BPF_FETCH, R5, 0, R0));
	out(g, insn_alu(BPF_AND, R0, R1));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), claimed);
	emit_add(&g->e, R4, -1);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R4, 0, 0), again);

	label_bind(&g->e, none);
	count_in_state(g, offsetof(struct abi_state, scratch_drops));
	emit_goto(&g->e, g->leave_bare);

	label_bind(&g->e, claimed);
	out(g, insn_mov(R2, R1));
	out(g, insn_alu_imm(BPF_MUL, R2, SLOT_FACTOR));
	out(g, insn_alu_imm(BPF_RSH, R2, SLOT_SHIFT));
	out(g, insn_alu_imm(BPF_AND, R2, SCRATCH_SLOTS - 1));
	g->stride_insn = g->e.count;
	out(g, insn_alu_imm(BPF_MUL, R2, (int32_t)g->scratch_size));
	out(g, insn_mov(R0, R5));
	out(g, insn_alu(BPF_ADD, R0, R2));
	emit_add(&g->e, R0, SCRATCH_HEADER);
	/* Read R5 and R1 before homes are filled: R5 may be one of them. */
	out(g, insn_mov(R2, R5));
	define(g, hidden_reg(g, HIDDEN_SCRATCH), R0);
	define(g, hidden_reg(g, HIDDEN_SCRATCH_BASE), R2);
	define(g, hidden_reg(g, HIDDEN_SCRATCH_BIT), R1);
}

/* Our bit is set, so taking it away is an exclusive or. */
void gen_scratch_release(struct gen *g, label none)
{
	use_in(g, hidden_reg(g, HIDDEN_SCRATCH_BASE), R1);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R1, 0, 0), none);
	use_in(g, hidden_reg(g, HIDDEN_SCRATCH_BIT), R2);
	out(g, insn_atomic(8, BPF_XOR, R1, 0, R2));
}
