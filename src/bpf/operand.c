/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands: virtual registers as templates see them.  A value is in a machine
 * register, in a stack slot, or a constant that is made where it is needed.
 */
#include "bpf/gen.h"

static int16_t slot_offset(const struct gen *g, struct home home)
{
	return (int16_t) -
	       (int32_t)(TEMP_SIZE + g->stack_objects + 8 * (home.number + 1));
}

bool is_constant(const struct gen *g, uint32_t reg, int64_t *value)
{
	if (!reg || reg > g->program->nregs || !g->constants[reg])
		return false;
	*value = g->constants[reg]->imm;
	return true;
}

bool is_dead(const struct gen *g, uint32_t reg)
{
	return !reg || g->homes.homes[reg].kind == HOME_NONE;
}

void use_in(struct gen *g, uint32_t reg, int machine)
{
	struct home home = g->homes.homes[reg];
	int64_t value;

	if (is_constant(g, reg, &value)) {
		emit_const(&g->e, machine, value);
		return;
	}
	switch (home.kind) {
	case HOME_REGISTER:
		emit_mov(&g->e, machine, (int)home.number);
		break;
	case HOME_SLOT:
		out(g, insn_load(8, machine, R10, slot_offset(g, home)));
		break;
	case HOME_NONE:
		emit_const(&g->e, machine, 0);
		break;
	}
}

int use(struct gen *g, uint32_t reg, int temp)
{
	struct home home = g->homes.homes[reg];
	int64_t value;

	if (!is_constant(g, reg, &value) && home.kind == HOME_REGISTER)
		return (int)home.number;
	use_in(g, reg, temp);
	return temp;
}

int target(const struct gen *g, uint32_t reg, int temp)
{
	struct home home = g->homes.homes[reg];

	return home.kind == HOME_REGISTER ? (int)home.number : temp;
}

void define(struct gen *g, uint32_t reg, int machine)
{
	struct home home = g->homes.homes[reg];

	if (home.kind == HOME_REGISTER)
		emit_mov(&g->e, (int)home.number, machine);
	else if (home.kind == HOME_SLOT)
		out(g, insn_store(8, R10, slot_offset(g, home), machine));
}
