/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantize(x [, inc]): counts values in buckets of powers of two.
 *
 * A bucket is named by its bound nearest to zero: ... -4 -2 -1 0 1 2 4 ...
 * Bucket 63 + k begins at 2^(k-1), bucket 63 - k at -2^(k-1), and the outermost
 * ones hold everything beyond them.  update() computes the index in the kernel;
 * quantize_bucket() is the definition it must agree with, which quantize_test.c
 * and bpf/update_test.c check for every boundary.
 */
#include "agg/agg.h"
#include "agg/functions.h"

int64_t quantize_label(uint32_t bucket)
{
	if (bucket == QUANTIZE_ZERO)
		return 0;
	if (bucket > QUANTIZE_ZERO)
		return (int64_t)((uint64_t)1 << (bucket - QUANTIZE_ZERO - 1));
	return -(int64_t)((uint64_t)1 << (QUANTIZE_ZERO - bucket - 1));
}

uint32_t quantize_bucket(int64_t value)
{
	if (!value)
		return QUANTIZE_ZERO;
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
	uint32_t bits = 64 - (uint32_t)__builtin_clzll(size);

	if (bits > QUANTIZE_ZERO)
		bits = QUANTIZE_ZERO;
	return value < 0 ? QUANTIZE_ZERO - bits : QUANTIZE_ZERO + bits;
}

/* The smallest number comes out below 0, which is bucket 0. */
static void update(struct agg_update *u)
{
	struct ir_builder *b = u->b;
	ir_reg sign = agg_sign(b, u->value);
	ir_reg bits = ir_unary(b, IR_BITS, agg_signed(b, u->value, sign));
	ir_reg bucket = ir_binary_imm(b, IR_ADD, agg_signed(b, bits, sign),
				      QUANTIZE_ZERO);

	ir_slot_indexed(&u->slots, IR_SLOT_ADD, bucket, u->increment);
}

static uint32_t nvalues_of(const int64_t *params)
{
	(void)params;
	return QUANTIZE_BUCKETS;
}

static long double weight(const int64_t *values, uint32_t nvalues)
{
	long double total = 0;

	for (uint32_t i = 0; i < nvalues; i++)
		total += (long double)quantize_label(i) * values[i];
	return total;
}

static int compare(const int64_t *a, const int64_t *b, uint32_t nvalues,
		   const int64_t *params)
{
	int order = agg_compare_totals(weight(a, nvalues), weight(b, nvalues));

	if (order)
		return order;
	return agg_compare_first(a + QUANTIZE_ZERO, b + QUANTIZE_ZERO, 1,
				 params);
}

static uint32_t middle(const int64_t *params, uint32_t nvalues)
{
	(void)params;
	(void)nvalues;
	return QUANTIZE_ZERO;
}

static void labels(const int64_t *params, uint32_t nvalues, uint32_t first,
		   uint32_t last, struct histogram_label *names)
{
	(void)params;
	(void)nvalues;
	for (uint32_t i = first; i <= last; i++)
		histogram_name(&names[i - first], "", quantize_label(i));
}

static struct agg_range range(const int64_t *params, uint32_t nvalues,
			      uint32_t i)
{
	struct agg_range found = {
		.low = quantize_label(i), .high = quantize_label(i),
		.is_open_below = i == 0, .is_open_above = i == nvalues - 1,
	};

	(void)params;
	if (i > QUANTIZE_ZERO && !found.is_open_above)
		found.high = 2 * found.low - 1;
	if (i < QUANTIZE_ZERO && !found.is_open_below)
		found.low = 2 * found.high + 1;
	return found;
}

static bool check(struct checker *checker, struct node *call)
{
	return agg_check_value(checker, call) &&
	       agg_check_increment(checker, call, 1);
}

static const struct aggregate quantize_aggregate = {
	.update = update,
	.increment = 1,
	.packs = PACKS_USED,
	.nvalues = nvalues_of,
	.merge = agg_merge_add,
	.compare = compare,
	.middle = middle,
	.count = agg_bucket_count,
	.labels = labels,
	.range = range,
};

const struct function agg_quantize = {
	.name = "quantize",
	.prototype = "void (@, [@])",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.check = check,
	.check_aggregation = agg_note_use,
	.lower = agg_lower,
	.aggregate = &quantize_aggregate,
};
