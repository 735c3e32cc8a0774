/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding: what is known before the probe fires is computed here.
 *
 * Constants and copies are followed within a block, and across blocks for
 * registers that are written once (most are: only this-> variables and the
 * results of ?: and && are written on several paths).  Such a register keeps
 * its value, and where it is read it has been written, so no flow analysis is
 * needed.
 *
 * Branches and faults on constants become jumps or nothing; dce.c removes the
 * blocks that are then never reached.  Division by a constant zero is left
 * alone: the test before it decides.
 */

#include "ir/internal.h"

enum known_kind { UNKNOWN, CONSTANT, COPY };

/* What is known about a register at this point. */
struct known {
	enum known_kind kind;
	int64_t value;
	ir_reg source;
	uint32_t source_version; /* the copy holds while it has it */
	uint32_t block;		 /* local knowledge: block + 1 */
};

struct folder {
	struct ir_program *program;
	uint32_t *ndefs;
	struct ir_insn **def; /* of registers written once */
	uint32_t *version;    /* counts writes as we walk */
	struct known *known;
	uint32_t block;
	bool changed;
};

static bool is_single(const struct folder *f, ir_reg reg)
{
	return f->ndefs[reg] == 1;
}

static bool constant_of(const struct folder *f, ir_reg reg, int64_t *value)
{
	if (!reg)
		return false;
	if (is_single(f, reg) && f->def[reg]->op == IR_CONST) {
		*value = f->def[reg]->imm;
		return true;
	}

	const struct known *known = &f->known[reg];

	if (known->kind != CONSTANT || known->block != f->block)
		return false;
	*value = known->value;
	return true;
}

/* The register that `reg` is a copy of, or itself. */
static ir_reg origin_of(const struct folder *f, ir_reg reg)
{
	const struct ir_insn *def = is_single(f, reg) ? f->def[reg] : NULL;

	if (def && def->op == IR_MOVE && is_single(f, def->a))
		return def->a;

	const struct known *known = &f->known[reg];

	if (known->kind == COPY && known->block == f->block &&
	    f->version[known->source] == known->source_version)
		return known->source;
	return reg;
}

static void replace_copy(struct folder *f, ir_reg *reg)
{
	if (!*reg)
		return;

	ir_reg origin = origin_of(f, *reg);

	if (origin != *reg) {
		*reg = origin;
		f->changed = true;
	}
}

static void become_constant(struct folder *f, struct ir_insn *insn,
			    int64_t value)
{
	insn->op = IR_CONST;
	insn->imm = value;
	insn->a = insn->b = 0;
	insn->size = 0;
	insn->is_signed = false;
	f->changed = true;
}

static void become_move(struct folder *f, struct ir_insn *insn)
{
	insn->op = IR_MOVE;
	insn->imm = 0;
	insn->b = 0;
	insn->size = 0;
	insn->is_signed = false;
	f->changed = true;
}

/* ------------------------------------------------------------- arithmetic */

/* x OP y == y mirrored(OP) x; IR_NOP: cannot be turned round. */
static enum ir_op mirrored(enum ir_op op)
{
	switch (op) {
	case IR_ADD:
	case IR_MUL:
	case IR_AND:
	case IR_OR:
	case IR_XOR:
	case IR_EQ:
	case IR_NE:
		return op;
	case IR_ULT: return IR_UGT;
	case IR_ULE: return IR_UGE;
	case IR_UGT: return IR_ULT;
	case IR_UGE: return IR_ULE;
	case IR_SLT: return IR_SGT;
	case IR_SLE: return IR_SGE;
	case IR_SGT: return IR_SLT;
	case IR_SGE: return IR_SLE;
	default: return IR_NOP;
	}
}

/* Constants go into the immediate where the back end can use it. */
static void use_immediate(struct folder *f, struct ir_insn *insn)
{
	int64_t x, y;

	if (insn->b && constant_of(f, insn->a, &x) &&
	    !constant_of(f, insn->b, &y) && mirrored(insn->op)) {
		ir_reg a = insn->a;

		insn->op = mirrored(insn->op);
		insn->a = insn->b;
		insn->b = a;
		f->changed = true;
	}
	if (insn->b && constant_of(f, insn->b, &y) && y == (int32_t)y) {
		insn->b = 0;
		insn->imm = y;
		f->changed = true;
	}
}

static int power_of_two(int64_t value)
{
	if (value <= 0 || (value & (value - 1)))
		return -1;
	return __builtin_ctzll((uint64_t)value);
}

/* x OP constant that is simpler than it looks. */
static void simplify_immediate(struct folder *f, struct ir_insn *insn)
{
	int64_t y = insn->imm;
	int shift = power_of_two(y);

	switch (insn->op) {
	case IR_ADD:
	case IR_SUB:
	case IR_OR:
	case IR_XOR:
	case IR_SHL:
	case IR_LSR:
	case IR_ASR:
		if (!y)
			become_move(f, insn);
		break;
	case IR_AND:
		if (!y)
			become_constant(f, insn, 0);
		else if (y == -1)
			become_move(f, insn);
		break;
	case IR_MUL:
		if (!y) {
			become_constant(f, insn, 0);
		} else if (shift >= 0) {
			insn->op = IR_SHL;
			insn->imm = shift;
			f->changed = true;
		}
		break;
	case IR_UDIV:
		if (shift >= 0) {
			insn->op = IR_LSR;
			insn->imm = shift;
			f->changed = true;
		}
		break;
	case IR_UMOD:
		if (shift >= 0) {
			insn->op = IR_AND;
			insn->imm = y - 1;
			f->changed = true;
		}
		break;
	case IR_SDIV:
		if (y == 1)
			become_move(f, insn);
		break;
	default:
		break;
	}
}

/*
 * Is the value that `def` makes already what EXTEND to size and sign would
 * make of it?
 */
static bool fits(const struct ir_insn *def, unsigned size, bool is_signed)
{
	unsigned bits = size * 8;

	if (def->op >= IR_EQ && def->op <= IR_SGE)
		return true;
	if (def->op == IR_STRING_EQUAL)
		return true;
	if (def->op == IR_EXTEND || def->op == IR_LOAD ||
	    def->op == IR_READ_SCALAR) {
		if (def->is_signed)
			return is_signed && def->size <= size;
		return is_signed ? def->size < size : def->size <= size;
	}
	if (is_signed)
		bits--;
	if (def->op == IR_AND && !def->b && def->imm >= 0)
		return bits >= 63 || !(def->imm >> bits);
	if (def->op == IR_LSR && !def->b)
		return 64 - (unsigned)(def->imm & 63) <= bits;
	return false;
}

static void fold_extend(struct folder *f, struct ir_insn *insn)
{
	const struct ir_insn *def = f->def[insn->a];

	/* The bytes that count are those of the value before. */
	if (def->op == IR_EXTEND && def->size >= insn->size &&
	    is_single(f, def->a)) {
		insn->a = def->a;
		def = f->def[def->a];
		f->changed = true;
	}
	if (fits(def, insn->size, insn->is_signed))
		become_move(f, insn);
}

static void fold_arithmetic(struct folder *f, struct ir_insn *insn)
{
	int64_t x = 0, y = insn->imm;
	bool has_x = !insn->a || constant_of(f, insn->a, &x);
	bool has_y = !insn->b || constant_of(f, insn->b, &y);
	bool divides = insn->op >= IR_UDIV && insn->op <= IR_SMOD;

	if (insn->op == IR_CONST || (divides && has_y && !y))
		return;
	if (has_x && has_y) {
		become_constant(f, insn,
				(int64_t)ir_evaluate(insn, (uint64_t)x,
						     (uint64_t)y));
		return;
	}
	if (ir_is_binary(insn->op)) {
		use_immediate(f, insn);
		if (!insn->b)
			simplify_immediate(f, insn);
		return;
	}
	if (insn->op == IR_EXTEND && is_single(f, insn->a))
		fold_extend(f, insn);
}

/* ---------------------------------------------------------------- control */

static void fold_control(struct folder *f, struct ir_insn *insn)
{
	int64_t x;

	switch (insn->op) {
	case IR_BRANCH:
		if (insn->target != insn->otherwise) {
			if (!constant_of(f, insn->a, &x))
				return;
			if (!x)
				insn->target = insn->otherwise;
		}
		insn->op = IR_GOTO;
		insn->otherwise = NULL;
		insn->a = 0;
		f->changed = true;
		break;
	case IR_FAULT_IF:
		if (!constant_of(f, insn->a, &x))
			return;
		insn->a = 0;
		f->changed = true;
		if (x) {
			/* What follows cannot run. */
			insn->op = IR_FAULT;
			insn->next = NULL;
		} else {
			insn->op = IR_NOP;
			insn->target = NULL;
			insn->b = 0;
		}
		break;
	default:
		break;
	}
}

/* ------------------------------------------------------------------- walk */

static void note_result(struct folder *f, const struct ir_insn *insn)
{
	struct known *known = &f->known[insn->dst];

	f->version[insn->dst]++;
	*known = (struct known){ .block = f->block };
	if (insn->op == IR_CONST) {
		known->kind = CONSTANT;
		known->value = insn->imm;
	} else if (insn->op == IR_MOVE && insn->a != insn->dst) {
		known->kind = COPY;
		known->source = insn->a;
		known->source_version = f->version[insn->a];
	}
}

static void fold_insn(struct folder *f, struct ir_insn *insn)
{
	replace_copy(f, &insn->a);
	replace_copy(f, &insn->b);
	replace_copy(f, &insn->mem.base);
	replace_copy(f, &insn->source.base);
	replace_copy(f, &insn->speculation);
	for (uint32_t i = 0; insn->slots && i < insn->slots->count; i++) {
		struct ir_slot_change *change = &insn->slots->changes[i];

		replace_copy(f, &change->index);
		replace_copy(f, &change->value);
		replace_copy(f, &change->high);
	}
	if (ir_is_arithmetic(insn->op))
		fold_arithmetic(f, insn);
	else
		fold_control(f, insn);
	if (insn->dst)
		note_result(f, insn);
}

/* A constant index into memory is an offset. */
static void fold_index(struct folder *f, struct ir_mem *mem)
{
	int64_t x;

	if (!mem->bound || !constant_of(f, mem->base, &x) || x < 0 ||
	    x >= mem->bound)
		return;
	mem->offset += x;
	mem->base = 0;
	mem->bound = 0;
	f->changed = true;
}

static void count_definitions(struct folder *f)
{
	for (struct ir_block *block = f->program->blocks; block;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next)
			if (insn->dst) {
				f->ndefs[insn->dst]++;
				f->def[insn->dst] = insn;
			}
}

bool ir_fold(struct ir_program *program)
{
	struct arena *scratch = arena_new();
	size_t count = program->nregs + 1;
	struct folder f = {
		.program = program,
		.ndefs = arena_array_of(scratch, uint32_t, count),
		.def = arena_array_of(scratch, struct ir_insn *, count),
		.version = arena_array_of(scratch, uint32_t, count),
		.known = arena_array_of(scratch, struct known, count),
	};

	count_definitions(&f);
	for (struct ir_block *block = program->blocks; block;
	     block = block->next) {
		f.block++;
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			fold_insn(&f, insn);
			fold_index(&f, &insn->mem);
			fold_index(&f, &insn->source);
			if (!insn->next)
				block->last = insn;
		}
	}
	arena_free(scratch);
	return f.changed;
}
