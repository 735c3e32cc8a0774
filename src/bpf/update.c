/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slots of an aggregation's entry: how one update changes them.
 *
 * R5 points to the entry.  Everything is atomic, because programs nest and the
 * consumer exchanges values with their identity at any time.  agg/ decides what
 * a slot means, and says in IR which one changes and how.
 */
#include "bpf/update.h"

enum { CHANGE_TRIES = 4 };

/* A slot as instructions address it. */
struct place_of_slot {
	int reg;
	int16_t offset;
};

static int64_t slot_offset(const struct ir_aggregation *agg, uint32_t n)
{
	return (int64_t)sizeof(struct abi_agg_entry) + agg->key_size -
	       update_base(agg) + 8 * (int64_t)n;
}

void update_identity(struct gen *g, const struct ir_aggregation *agg)
{
	for (uint32_t i = 0; agg->identities && i < agg->nvalues; i++) {
		if (!agg->identities[i])
			continue;
		emit_const(&g->e, R0, agg->identities[i]);
		out(g, insn_store(8, R5, (int16_t)slot_offset(agg, i), R0));
	}
}

/*
 * Where the slot is: at a fixed offset from R5, or relative to R3.  The index
 * is checked here for the verifier; if it is out of range, slot 0 is used.
 * Uses R1.
 */
static struct place_of_slot find_slot(struct gen *g,
				      const struct ir_slot_change *change,
				      const struct ir_aggregation *agg)
{
	int64_t offset = slot_offset(agg, change->index ? 0 : change->slot);

	if (!change->index && offset <= INT16_MAX - 8)
		return (struct place_of_slot){ R5, (int16_t)offset };
	out(g, insn_mov(R3, R5));
	if (!change->index) {
		emit_add(&g->e, R3, offset);
		return (struct place_of_slot){ R3, 0 };
	}
	label fine = label_new(&g->e);

	use_in(g, change->index, R1);
	emit_add(&g->e, R1, change->slot);
	emit_jump(&g->e, insn_jump_imm(BPF_JLT, R1, (int32_t)agg->nvalues, 0),
		  fine);
	out(g, insn_mov_imm(R1, 0));
	label_bind(&g->e, fine);
	out(g, insn_alu_imm(BPF_LSH, R1, 3));
	out(g, insn_alu(BPF_ADD, R3, R1));
	return (struct place_of_slot){ R3, (int16_t)offset };
}

static void change_extreme(struct gen *g, const struct ir_slot_change *change,
			   struct place_of_slot at, label drop)
{
	label again = label_new(&g->e), done = label_new(&g->e);
	int keeps = change->op == IR_SLOT_MIN ? BPF_JSGE : BPF_JSLE;

	use_in(g, change->value, R1);
	out(g, insn_mov_imm(R4, CHANGE_TRIES));
	out(g, insn_load(8, R0, at.reg, at.offset));
	label_bind(&g->e, again);
	emit_jump(&g->e, insn_jump(keeps, R1, R0, 0), done);
	out(g, insn_mov(R2, R0));
	out(g, insn_atomic(8, BPF_CMPXCHG, at.reg, at.offset, R1));
	emit_jump(&g->e, insn_jump(BPF_JEQ, R0, R2, 0), done);
	emit_add(&g->e, R4, -1);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R4, 0, 0), again);
	emit_goto(&g->e, drop);
	label_bind(&g->e, done);
}

/*
 * A 128-bit addition from two atomic ones: the program that adds to the low
 * word and sees it wrap adds the carry.
 */
static void add_wide(struct gen *g, const struct ir_slot_change *change,
		     struct place_of_slot at)
{
	label none = label_new(&g->e);
	int low = use(g, change->value, R1);

	out(g, insn_mov(R0, low));
	out(g, insn_atomic(8, BPF_ADD | BPF_FETCH, at.reg, at.offset, R0));
	out(g, insn_alu(BPF_ADD, R0, low));
	use_in(g, change->high, R2);
	emit_jump(&g->e, insn_jump(BPF_JGE, R0, low, 0), none);
	emit_add(&g->e, R2, 1);
	label_bind(&g->e, none);
	out(g, insn_atomic(8, BPF_ADD, at.reg, (int16_t)(at.offset + 8), R2));
}

static void change_slot(struct gen *g, const struct ir_slot_change *change,
			const struct ir_aggregation *agg, label drop)
{
	struct place_of_slot at = find_slot(g, change, agg);

	switch (change->op) {
	case IR_SLOT_ADD:
		out(g, insn_atomic(8, BPF_ADD, at.reg, at.offset,
				   use(g, change->value, R0)));
		break;
	case IR_SLOT_MIN:
	case IR_SLOT_MAX:
		change_extreme(g, change, at, drop);
		break;
	case IR_SLOT_ADD128:
		add_wide(g, change, at);
		break;
	}
}

bool update_may_fail(const struct ir_slots *slots)
{
	for (uint32_t i = 0; i < slots->count; i++)
		if (slots->changes[i].op == IR_SLOT_MIN ||
		    slots->changes[i].op == IR_SLOT_MAX)
			return true;
	return false;
}

void update_values(struct gen *g, const struct ir_insn *insn,
		   const struct ir_aggregation *agg, label drop)
{
	for (uint32_t i = 0; i < insn->slots->count; i++)
		change_slot(g, &insn->slots->changes[i], agg, drop);
}
