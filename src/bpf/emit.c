/* SPDX-License-Identifier: Apache-2.0 */
#include "bpf/emit.h"

#include <assert.h>

static const uint32_t UNBOUND = UINT32_MAX;

void emit_fail(struct emitter *e, const char *text)
{
	if (!e->problem.text)
		e->problem.text = text;
}

void emit_fail_large(struct emitter *e, const char *text)
{
	if (!e->problem.text)
		e->problem = (struct bpf_problem){ text, true };
}

void emit(struct emitter *e, struct bpf_insn insn)
{
	e->places = arena_grown(e->arena, e->places, e->count,
				sizeof(*e->places));
	e->insns = arena_grown(e->arena, e->insns, e->count, sizeof(*e->insns));
	e->places[e->count] = e->place;
	e->insns[e->count++] = insn;
}

label label_new(struct emitter *e)
{
	e->labels = arena_grown(e->arena, e->labels, e->nlabels,
				sizeof(*e->labels));
	e->labels[e->nlabels] = UNBOUND;
	return e->nlabels++;
}

void label_bind(struct emitter *e, label to)
{
	assert(e->labels[to] == UNBOUND);
	e->labels[to] = e->count;
}

void emit_jump(struct emitter *e, struct bpf_insn jump, label to)
{
	e->fixups = arena_grown(e->arena, e->fixups, e->nfixups,
				sizeof(*e->fixups));
	e->fixups[e->nfixups++] = (struct fixup){ e->count, to };
	emit(e, jump);
}

void emit_goto(struct emitter *e, label to)
{
	emit_jump(e, insn_goto(0), to);
}

void emit_const(struct emitter *e, int dst, int64_t value)
{
	struct bpf_insn pair[2];

	if (fits_imm(value)) {
		emit(e, insn_mov_imm(dst, (int32_t)value));
		return;
	}
	insn_const64(pair, dst, (uint64_t)value);
	emit(e, pair[0]);
	emit(e, pair[1]);
}

void emit_mov(struct emitter *e, int dst, int src)
{
	if (dst != src)
		emit(e, insn_mov(dst, src));
}

void emit_add(struct emitter *e, int dst, int64_t amount)
{
	if (!fits_imm(amount))
		emit_fail(e, "a memory offset does not fit 32 bits");
	if (amount)
		emit(e, insn_alu_imm(BPF_ADD, dst, (int32_t)amount));
}

static void note_reloc(struct emitter *e, enum bpf_map_role role,
		       uint32_t index)
{
	e->relocs = arena_grown(e->arena, e->relocs, e->nrelocs,
				sizeof(*e->relocs));
	e->relocs[e->nrelocs++] = (struct bpf_reloc){
		.insn = e->count,
		.role = role,
		.index = index,
	};
}

void emit_map(struct emitter *e, int dst, enum bpf_map_role role,
	      uint32_t index)
{
	struct bpf_insn pair[2];

	note_reloc(e, role, index);
	insn_map(pair, dst, 0);
	emit(e, pair[0]);
	emit(e, pair[1]);
}

void emit_map_value(struct emitter *e, int dst, enum bpf_map_role role,
		    uint32_t offset)
{
	struct bpf_insn pair[2];

	note_reloc(e, role, 0);
	insn_map_value(pair, dst, 0, offset);
	emit(e, pair[0]);
	emit(e, pair[1]);
}

void emit_function(struct emitter *e, int dst)
{
	struct bpf_insn pair[2];

	insn_function(pair, dst);
	emit(e, pair[0]);
	emit(e, pair[1]);
}

void emit_finish(struct emitter *e)
{
	for (uint32_t i = 0; i < e->nfixups; i++) {
		uint32_t from = e->fixups[i].insn;
		uint32_t to = e->labels[e->fixups[i].to];

		assert(to != UNBOUND);
		int64_t distance = (int64_t)to - (int64_t)from - 1;

		if (distance < INT16_MIN || distance > INT16_MAX)
			emit_fail_large(
				e,
				"the program is too long for BPF, which can jump over 32767 instructions");
		e->insns[from].off = (int16_t)distance;
	}
}
