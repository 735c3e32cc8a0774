/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the run-time library: two places in memory, their capacities in
 * one register, two numbers.
 */
#include "bpf/gen.h"
#include "bpf/link.h"

/* Arguments of a library function that takes no numbers. */
void call_library(struct gen *g, enum ir_function function, struct spot mem,
		  uint32_t mem_size, struct spot source, uint32_t source_size)
{
	/* R2 first would be lost if mem is there; move in a safe order. */
	if (source.reg == R1) {
		spot_address(g, source, R0);
		spot_address(g, mem, R1);
		out(g, insn_mov(R2, R0));
	} else {
		spot_address(g, mem, R1);
		spot_address(g, source, R2);
	}
	emit_const(&g->e, R3,
		   (int64_t)((uint64_t)mem_size | (uint64_t)source_size << 32));
	link_call(g, function);
}

void gen_call(struct gen *g, const struct ir_insn *insn)
{
	struct spot mem = locate_source(g, &insn->mem, (uint32_t)insn->imm, R1,
					R0);

	spot_address(g, mem, R1);
	struct spot source = locate_source(g, &insn->source,
					   (uint32_t)insn->imm2, R2, R0);

	spot_address(g, source, R2);
	emit_const(&g->e, R3,
		   (int64_t)((uint64_t)insn->imm | (uint64_t)insn->imm2 << 32));
	if (insn->a)
		use_in(g, insn->a, R4);
	if (insn->b)
		use_in(g, insn->b, R5);
	link_call(g, insn->function);
	define(g, insn->dst, R0);
}
