/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic and comparison.
 *
 * BPF is a two-address machine: dst = a OP b becomes dst = a; dst OP= b.  If b
 * is in the same register as dst, R0 stands in for dst.  Signed division came
 * with 6.6, so it is built from the unsigned one here; the smallest number
 * divided by -1 is itself, without a trap.
 */
#include "bpf/gen.h"

#include <assert.h>

static const struct {
	int alu; /* BPF_ALU operation */
} alu_ops[IR_OP_COUNT] = {
	[IR_ADD] = { BPF_ADD },	 [IR_SUB] = { BPF_SUB },
	[IR_MUL] = { BPF_MUL },	 [IR_UDIV] = { BPF_DIV },
	[IR_UMOD] = { BPF_MOD }, [IR_AND] = { BPF_AND },
	[IR_OR] = { BPF_OR },	 [IR_XOR] = { BPF_XOR },
	[IR_SHL] = { BPF_LSH },	 [IR_LSR] = { BPF_RSH },
	[IR_ASR] = { BPF_ARSH },
};

static const struct {
	int jump, inverse;
} jump_ops[IR_OP_COUNT] = {
	[IR_EQ] = { BPF_JEQ, BPF_JNE },	   [IR_NE] = { BPF_JNE, BPF_JEQ },
	[IR_ULT] = { BPF_JLT, BPF_JGE },   [IR_ULE] = { BPF_JLE, BPF_JGT },
	[IR_UGT] = { BPF_JGT, BPF_JLE },   [IR_UGE] = { BPF_JGE, BPF_JLT },
	[IR_SLT] = { BPF_JSLT, BPF_JSGE }, [IR_SLE] = { BPF_JSLE, BPF_JSGT },
	[IR_SGT] = { BPF_JSGT, BPF_JSLE }, [IR_SGE] = { BPF_JSGE, BPF_JSLT },
};

/* The second operand: an immediate, or false and a register is needed. */
static bool immediate(const struct gen *g, const struct ir_insn *insn,
		      int64_t *value)
{
	if (!insn->b)
		*value = insn->imm;
	else if (!is_constant(g, insn->b, value))
		return false;
	return true;
}

static int second(struct gen *g, const struct ir_insn *insn, int temp)
{
	if (insn->b)
		return use(g, insn->b, temp);
	emit_const(&g->e, temp, insn->imm);
	return temp;
}

static bool is_shift(enum ir_op op)
{
	return op == IR_SHL || op == IR_LSR || op == IR_ASR;
}

static void gen_binary(struct gen *g, const struct ir_insn *insn)
{
	int op = alu_ops[insn->op].alu;
	int dst = target(g, insn->dst, R0);
	int64_t value;

	if (immediate(g, insn, &value)) {
		if (is_shift(insn->op))
			value &= 63;
		/* The verifier refuses to divide by a constant 0. */
		bool is_division = insn->op == IR_UDIV || insn->op == IR_UMOD;

		if (fits_imm(value) && !(is_division && !value)) {
			use_in(g, insn->a, dst);
			out(g, insn_alu_imm(op, dst, (int32_t)value));
			define(g, insn->dst, dst);
			return;
		}
	}
	int b = second(g, insn, R1);

	if (b == dst)
		dst = R0;
	use_in(g, insn->a, dst);
	out(g, insn_alu(op, dst, b));
	define(g, insn->dst, dst);
}

/* reg = -reg where mask is -1, reg where it is 0 */
static void negate_by(struct gen *g, int reg, int mask)
{
	out(g, insn_alu(BPF_XOR, reg, mask));
	out(g, insn_alu(BPF_SUB, reg, mask));
}

/* mask = reg < 0 ? -1 : 0 */
static void sign_mask(struct gen *g, int mask, int reg)
{
	emit_mov(&g->e, mask, reg);
	out(g, insn_alu_imm(BPF_ARSH, mask, 63));
}

/*
 * Divide the magnitudes, then give the result its sign.  There are no branches:
 * each one would double the paths that the verifier walks.
 */
static void gen_signed_division(struct gen *g, const struct ir_insn *insn)
{
	bool is_modulo = insn->op == IR_SMOD;
	int64_t divisor = 0;

	use_in(g, insn->a, R0);
	if (immediate(g, insn, &divisor)) {
		uint64_t size = divisor < 0 ? -(uint64_t)divisor
					    : (uint64_t)divisor;

		emit_const(&g->e, R1, (int64_t)size);
	} else {
		use_in(g, insn->b, R1);
		sign_mask(g, R3, R1);
		negate_by(g, R1, R3);
	}
	sign_mask(g, R2, R0);
	negate_by(g, R0, R2);
	out(g, insn_alu(is_modulo ? BPF_MOD : BPF_DIV, R0, R1));
	negate_by(g, R0, R2);
	if (!is_modulo && divisor < 0)
		out(g, insn_neg(R0));
	else if (!is_modulo && !immediate(g, insn, &divisor))
		negate_by(g, R0, R3);
	define(g, insn->dst, R0);
}

static int64_t extended(int64_t value, unsigned size, bool is_signed)
{
	unsigned shift = 64 - size * 8;

	if (!shift)
		return value;
	uint64_t up = (uint64_t)value << shift;

	return is_signed ? (int64_t)up >> shift : (int64_t)(up >> shift);
}

void gen_extend(struct gen *g, int reg, unsigned size, bool is_signed)
{
	int32_t shift = 64 - (int32_t)size * 8;

	if (!shift)
		return;
	if (!is_signed && size == 4) {
		out(g, insn_mov32(reg, reg));
	} else if (!is_signed) {
		out(g, insn_alu_imm(BPF_AND, reg, (1 << size * 8) - 1));
	} else {
		out(g, insn_alu_imm(BPF_LSH, reg, shift));
		out(g, insn_alu_imm(BPF_ARSH, reg, shift));
	}
}

void gen_compare_jump(struct gen *g, const struct ir_insn *compare, bool invert,
		      label yes)
{
	int op = invert ? jump_ops[compare->op].inverse
			: jump_ops[compare->op].jump;
	int a = use(g, compare->a, R0);
	int64_t value;

	if (immediate(g, compare, &value) && fits_imm(value)) {
		emit_jump(&g->e, insn_jump_imm(op, a, (int32_t)value, 0), yes);
		return;
	}
	emit_jump(&g->e, insn_jump(op, a, second(g, compare, R1), 0), yes);
}

static void gen_comparison(struct gen *g, const struct ir_insn *insn)
{
	label yes = label_new(&g->e), done = label_new(&g->e);
	int dst = target(g, insn->dst, R0);

	gen_compare_jump(g, insn, false, yes);
	out(g, insn_mov_imm(dst, 0));
	emit_goto(&g->e, done);
	label_bind(&g->e, yes);
	out(g, insn_mov_imm(dst, 1));
	label_bind(&g->e, done);
	define(g, insn->dst, dst);
}

static void gen_unary(struct gen *g, const struct ir_insn *insn)
{
	int dst = target(g, insn->dst, R0);
	int64_t value;

	if (insn->op == IR_EXTEND && is_constant(g, insn->a, &value)) {
		emit_const(&g->e, dst,
			   extended(value, insn->size, insn->is_signed));
		define(g, insn->dst, dst);
		return;
	}
	use_in(g, insn->a, dst);
	if (insn->op == IR_NEG)
		out(g, insn_neg(dst));
	else if (insn->op == IR_NOT)
		out(g, insn_alu_imm(BPF_XOR, dst, -1));
	else
		gen_extend(g, dst, insn->size, insn->is_signed);
	define(g, insn->dst, dst);
}

/*
 * R1 collects log2 of what is in R0, which is shifted down to 1, or 0, on the
 * way.  Without branches: with them the verifier would walk 64 ways.
 * (limit - R0) >> 63 is 1 when R0 is above the limit; for the first step that
 * asks for the upper half alone, because R0 may have its highest bit set.
 */
static void gen_bits(struct gen *g, const struct ir_insn *insn)
{
	use_in(g, insn->a, R0);
	out(g, insn_mov(R1, R0));
	out(g, insn_alu_imm(BPF_RSH, R1, 32));
	out(g, insn_neg(R1));
	out(g, insn_alu_imm(BPF_RSH, R1, 63));
	out(g, insn_alu_imm(BPF_LSH, R1, 5));
	out(g, insn_alu(BPF_RSH, R0, R1));
	for (int32_t power = 4; power >= 0; power--) {
		out(g, insn_mov_imm(R2, (1 << (1 << power)) - 1));
		out(g, insn_alu(BPF_SUB, R2, R0));
		out(g, insn_alu_imm(BPF_RSH, R2, 63));
		if (power)
			out(g, insn_alu_imm(BPF_LSH, R2, power));
		out(g, insn_alu(BPF_RSH, R0, R2));
		out(g, insn_alu(BPF_OR, R1, R2));
	}
	out(g, insn_alu(BPF_ADD, R0, R1));
	define(g, insn->dst, R0);
}

void gen_arith(struct gen *g, const struct ir_insn *insn)
{
	if (is_dead(g, insn->dst))
		return;
	if (insn->op == IR_CONST) {
		int dst = target(g, insn->dst, R0);

		emit_const(&g->e, dst, insn->imm);
		define(g, insn->dst, dst);
	} else if (insn->op == IR_MOVE) {
		define(g, insn->dst, use(g, insn->a, R0));
	} else if (insn->op == IR_SDIV || insn->op == IR_SMOD) {
		gen_signed_division(g, insn);
	} else if (alu_ops[insn->op].alu || insn->op == IR_ADD) {
		gen_binary(g, insn);
	} else if (insn->op == IR_BITS) {
		gen_bits(g, insn);
	} else if (jump_ops[insn->op].jump) {
		gen_comparison(g, insn);
	} else {
		assert(insn->op == IR_NEG || insn->op == IR_NOT ||
		       insn->op == IR_EXTEND);
		gen_unary(g, insn);
	}
}
