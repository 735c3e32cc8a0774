/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of an aggregation's entry: what one update does to them.
 *
 * R5 points to the entry.  Everything is atomic, because programs nest and
 * the consumer exchanges values with their identity at any time.  The buckets
 * of histograms are the ones that agg/ prints; update_test.c holds the two
 * against each other for every boundary.
 */
#include "bpf/update.h"

enum { CHANGE_TRIES = 4 };

static int16_t value_offset(const struct ir_aggregation *agg, uint32_t n)
{
	return (int16_t)(sizeof(struct abi_agg_entry) + agg->key_size -
			 update_base(agg) + 8 * n);
}

static void add_to(struct gen *g, const struct ir_aggregation *agg, uint32_t n,
		   int reg)
{
	out(g, insn_atomic(8, BPF_ADD, R5, value_offset(agg, n), reg));
}

static void add_one(struct gen *g, const struct ir_aggregation *agg)
{
	out(g, insn_mov_imm(R0, 1));
	add_to(g, agg, 0, R0);
}

bool agg_identity(const struct ir_aggregation *agg, int64_t *identity)
{
	if (agg->update == AGG_MIN)
		*identity = INT64_MAX;
	else if (agg->update == AGG_MAX)
		*identity = INT64_MIN;
	else
		return false;
	return true;
}

void update_identity(struct gen *g, const struct ir_aggregation *agg)
{
	int64_t identity;

	if (!agg_identity(agg, &identity))
		return;
	emit_const(&g->e, R0, identity);
	out(g, insn_store(8, R5, value_offset(agg, 0), R0));
}

/* ------------------------------------------------------------- min and max */

static void update_extreme(struct gen *g, const struct ir_insn *insn,
			   const struct ir_aggregation *agg, label drop)
{
	label again = label_new(&g->e), done = label_new(&g->e);
	int16_t at = value_offset(agg, 0);
	int keeps = agg->update == AGG_MIN ? BPF_JSGE : BPF_JSLE;

	use_in(g, insn->values[0], R1);
	out(g, insn_mov_imm(R4, CHANGE_TRIES));
	out(g, insn_load(8, R0, R5, at));
	label_bind(&g->e, again);
	emit_jump(&g->e, insn_jump(keeps, R1, R0, 0), done);
	out(g, insn_mov(R2, R0));
	out(g, insn_atomic(8, BPF_CMPXCHG, R5, at, R1));
	emit_jump(&g->e, insn_jump(BPF_JEQ, R0, R2, 0), done);
	emit_add(&g->e, R4, -1);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R4, 0, 0), again);
	emit_goto(&g->e, drop);
	label_bind(&g->e, done);
}

/* ------------------------------------------------------------------- stddev */

/* reg = -reg where the mask R3 is -1 */
static void negate_by_r3(struct gen *g, int reg)
{
	out(g, insn_alu(BPF_XOR, reg, R3));
	out(g, insn_alu(BPF_SUB, reg, R3));
}

/*
 * R0 = |x|, R3 = x < 0 ? -1 : 0.  Without a branch, after which the verifier
 * would go on twice, with x known to be negative and known not to be.
 */
static void absolute(struct gen *g, uint32_t x)
{
	use_in(g, x, R0);
	out(g, insn_mov(R3, R0));
	out(g, insn_alu_imm(BPF_ARSH, R3, 63));
	negate_by_r3(g, R0);
}

/* sum += reg; skip the increment of R2 unless that made a carry */
static void carry_into_r2(struct gen *g, int sum, int addend)
{
	label none = label_new(&g->e);

	emit_jump(&g->e, insn_jump(BPF_JGE, sum, addend, 0), none);
	emit_add(&g->e, R2, 1);
	label_bind(&g->e, none);
}

/*
 * R2:R4 = x * x, from the halves a (low) and b of |x|:
 * b*b << 64  +  2*a*b << 32  +  a*a.
 */
static void square(struct gen *g, uint32_t x)
{
	absolute(g, x);
	out(g, insn_mov32(R1, R0));
	out(g, insn_mov(R2, R0));
	out(g, insn_alu_imm(BPF_RSH, R2, 32));
	out(g, insn_mov(R3, R1));
	out(g, insn_alu(BPF_MUL, R3, R2));
	out(g, insn_alu_imm(BPF_LSH, R3, 1));
	out(g, insn_alu(BPF_MUL, R1, R1));
	out(g, insn_alu(BPF_MUL, R2, R2));
	out(g, insn_mov(R4, R3));
	out(g, insn_alu_imm(BPF_LSH, R4, 32));
	out(g, insn_alu_imm(BPF_RSH, R3, 32));
	out(g, insn_alu(BPF_ADD, R2, R3));
	out(g, insn_alu(BPF_ADD, R4, R1));
	carry_into_r2(g, R4, R1);
}

/*
 * Two atomic additions make a 128-bit one: whoever adds to the low word and
 * sees it wrap brings the carry.
 */
static void update_stddev(struct gen *g, const struct ir_insn *insn,
			  const struct ir_aggregation *agg)
{
	add_one(g, agg);
	add_to(g, agg, 1, use(g, insn->values[0], R0));
	square(g, insn->values[0]);
	out(g, insn_mov(R0, R4));
	out(g, insn_atomic(8, BPF_ADD | BPF_FETCH, R5, value_offset(agg, 2),
			   R0));
	out(g, insn_alu(BPF_ADD, R0, R4));
	carry_into_r2(g, R0, R4);
	add_to(g, agg, 3, R2);
}

/* --------------------------------------------------------------- histograms */

/*
 * R1 = floor(log2(R0)), 0 for 0.  Without branches: with them the verifier
 * would walk 64 ways.  (limit - R0) >> 63 is 1 when R0 is above the limit.
 */
static void log2_of(struct gen *g)
{
	out(g, insn_mov_imm(R1, 0));
	for (int32_t power = 5; power >= 0; power--) {
		int64_t limit = ((int64_t)1 << (1 << power)) - 1;

		emit_const(&g->e, R2, limit);
		out(g, insn_alu(BPF_SUB, R2, R0));
		out(g, insn_alu_imm(BPF_RSH, R2, 63));
		if (power)
			out(g, insn_alu_imm(BPF_LSH, R2, power));
		out(g, insn_alu(BPF_RSH, R0, R2));
		out(g, insn_alu(BPF_OR, R1, R2));
	}
}

/*
 * 63 for 0, else 64 + log2 or 62 - log2 by sign.  The least number comes out
 * below 0: add_to_bucket makes that 0.
 */
static void bucket_quantize(struct gen *g, const struct ir_insn *insn)
{
	absolute(g, insn->values[0]);
	/* R4 = x != 0 */
	out(g, insn_mov(R4, R0));
	out(g, insn_neg(R4));
	out(g, insn_alu(BPF_OR, R4, R0));
	out(g, insn_alu_imm(BPF_RSH, R4, 63));
	log2_of(g);
	out(g, insn_alu(BPF_ADD, R1, R4));
	negate_by_r3(g, R1);
	emit_add(&g->e, R1, QUANTIZE_ZERO);
}

static void bucket_lquantize(struct gen *g, const struct ir_insn *insn,
			     const struct ir_aggregation *agg)
{
	int64_t base = agg->params[0], step = agg->params[2];
	int64_t levels = (agg->params[1] - base) / step;
	label below = label_new(&g->e), above = label_new(&g->e);
	label done = label_new(&g->e);

	use_in(g, insn->values[0], R0);
	/* Else the verifier would learn about the value itself, three ways. */
	out(g, insn_alu_imm(BPF_OR, R0, 0));
	emit_const(&g->e, R2, base);
	emit_jump(&g->e, insn_jump(BPF_JSLT, R0, R2, 0), below);
	emit_const(&g->e, R1, base + levels * step);
	emit_jump(&g->e, insn_jump(BPF_JSGE, R0, R1, 0), above);
	out(g, insn_mov(R1, R0));
	out(g, insn_alu(BPF_SUB, R1, R2));
	emit_const(&g->e, R2, step);
	out(g, insn_alu(BPF_DIV, R1, R2));
	emit_add(&g->e, R1, 1);
	emit_goto(&g->e, done);
	label_bind(&g->e, below);
	out(g, insn_mov_imm(R1, 0));
	emit_goto(&g->e, done);
	label_bind(&g->e, above);
	out(g, insn_mov_imm(R1, (int32_t)levels + 1));
	label_bind(&g->e, done);
}

/* base^exponent, or the largest number when that does not fit */
static uint64_t power_of(uint64_t base, int64_t exponent)
{
	uint64_t result = 1;

	while (exponent-- > 0)
		if (__builtin_mul_overflow(result, base, &result))
			return UINT64_MAX;
	return result;
}

/*
 * params: factor, low, high, steps.  The magnitudes are known now, so each is
 * one comparison and one division by a constant.  nvalues = 2 * N + 3.
 */
static void bucket_llquantize(struct gen *g, const struct ir_insn *insn,
			      const struct ir_aggregation *agg)
{
	uint64_t factor = (uint64_t)agg->params[0];
	uint64_t steps = (uint64_t)agg->params[3];
	int32_t middle = (int32_t)agg->nvalues / 2;
	int64_t first = 1;
	label small = label_new(&g->e), found = label_new(&g->e);

	absolute(g, insn->values[0]);
	emit_const(&g->e, R2, (int64_t)power_of(factor, agg->params[1]));
	emit_jump(&g->e, insn_jump(BPF_JLT, R0, R2, 0), small);
	for (int64_t m = agg->params[1]; m <= agg->params[2]; m++) {
		uint64_t start = power_of(factor, m);
		uint64_t end = power_of(factor, m + 1);
		uint64_t size = end / steps ? end / steps : 1;
		uint64_t cuts = end < steps ? end : steps;
		label beyond = label_new(&g->e);

		emit_const(&g->e, R2, (int64_t)end);
		emit_jump(&g->e, insn_jump(BPF_JGE, R0, R2, 0), beyond);
		out(g, insn_mov(R1, R0));
		emit_const(&g->e, R2, (int64_t)size);
		out(g, insn_alu(BPF_DIV, R1, R2));
		emit_const(&g->e, R2, first - (int64_t)(start / size));
		out(g, insn_alu(BPF_ADD, R1, R2));
		emit_goto(&g->e, found);
		label_bind(&g->e, beyond);
		first += (int64_t)(cuts - cuts / factor);
	}
	out(g, insn_mov_imm(R1, middle));
	emit_goto(&g->e, found);
	label_bind(&g->e, small);
	out(g, insn_mov_imm(R1, 0));
	label_bind(&g->e, found);
	negate_by_r3(g, R1);
	emit_add(&g->e, R1, middle);
}

/* Bucket R1 += increment; what is out of range counts in bucket 0. */
static void add_to_bucket(struct gen *g, const struct ir_insn *insn,
			  const struct ir_aggregation *agg)
{
	label fine = label_new(&g->e);

	if (insn->values[1])
		use_in(g, insn->values[1], R0);
	else
		out(g, insn_mov_imm(R0, 1));
	out(g, insn_mov(R2, R5));
	emit_jump(&g->e,
		  insn_jump_imm(BPF_JLT, R1, (int32_t)agg->nvalues, 0), fine);
	out(g, insn_mov_imm(R1, 0));
	label_bind(&g->e, fine);
	out(g, insn_alu_imm(BPF_LSH, R1, 3));
	out(g, insn_alu(BPF_ADD, R2, R1));
	out(g, insn_atomic(8, BPF_ADD, R2, value_offset(agg, 0), R0));
}

void update_values(struct gen *g, const struct ir_insn *insn,
		   const struct ir_aggregation *agg, label drop)
{
	switch (agg->update) {
	case AGG_COUNT:
		add_one(g, agg);
		break;
	case AGG_SUM:
		add_to(g, agg, 0, use(g, insn->values[0], R0));
		break;
	case AGG_MIN:
	case AGG_MAX:
		update_extreme(g, insn, agg, drop);
		break;
	case AGG_AVG:
		add_one(g, agg);
		add_to(g, agg, 1, use(g, insn->values[0], R0));
		break;
	case AGG_STDDEV:
		update_stddev(g, insn, agg);
		break;
	case AGG_QUANTIZE:
		bucket_quantize(g, insn);
		add_to_bucket(g, insn, agg);
		break;
	case AGG_LQUANTIZE:
		bucket_lquantize(g, insn, agg);
		add_to_bucket(g, insn, agg);
		break;
	case AGG_LLQUANTIZE:
		bucket_llquantize(g, insn, agg);
		add_to_bucket(g, insn, agg);
		break;
	}
}
