/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stddev(x): number of values, sum, and the sum of squares in 128 bits (low
 * word first).  The result is the integer root of  sumsq/n - (sum/n)^2  with
 * integer divisions throughout.  The truncated mean can be smaller than the
 * true one but never larger in magnitude, so the difference is not negative
 * unless the sum itself has wrapped; then the result is 0.
 */
#include "agg/agg.h"
#include "agg/functions.h"

typedef unsigned __int128 wide;

static uint32_t four_values(const int64_t *params)
{
	(void)params;
	return 4;
}

static wide squares(const int64_t *values)
{
	return (wide)(uint64_t)values[3] << 64 | (uint64_t)values[2];
}

static void merge(int64_t *into, const int64_t *from, uint32_t nvalues)
{
	wide total = squares(into) + squares(from);

	(void)nvalues;
	agg_merge_add(into, from, 2);
	into[2] = (int64_t)(uint64_t)total;
	into[3] = (int64_t)(uint64_t)(total >> 64);
}

/* Bit by bit from the top: the largest root with root * root <= square. */
static uint64_t root_of(wide square)
{
	uint64_t root = 0;

	for (int bit = 63; bit >= 0; bit--) {
		uint64_t trial = root | (uint64_t)1 << bit;

		if ((wide)trial * trial <= square)
			root = trial;
	}
	return root;
}

static int64_t number(const int64_t *values, uint64_t normal)
{
	uint64_t count = (uint64_t)values[0];

	if (!count)
		return 0;
	int64_t mean = agg_divide(values[1], count);
	uint64_t size = mean < 0 ? -(uint64_t)mean : (uint64_t)mean;
	wide mean_of_squares = squares(values) / count;
	wide square_of_mean = (wide)size * size;

	if (square_of_mean > mean_of_squares)
		return 0;
	return (int64_t)(root_of(mean_of_squares - square_of_mean) /
			 (normal ? normal : 1));
}

static int compare(const int64_t *a, const int64_t *b, uint32_t nvalues,
		   const int64_t *params)
{
	uint64_t x = (uint64_t)number(a, 1), y = (uint64_t)number(b, 1);

	(void)nvalues;
	(void)params;
	return (x > y) - (x < y);
}

/*
 * The square of x in 128 bits, from the halves a (low) and b of |x|:
 * b*b << 64  +  2*a*b << 32  +  a*a.
 */
static void update(struct agg_update *u)
{
	struct ir_builder *b = u->b;
	ir_reg size = agg_signed(b, u->value, agg_sign(b, u->value));
	ir_reg low = ir_extend(b, size, 4, false);
	ir_reg high = ir_binary_imm(b, IR_LSR, size, 32);
	ir_reg cross = ir_binary_imm(b, IR_SHL, ir_binary(b, IR_MUL, low, high),
				     1);
	ir_reg square = ir_binary(b, IR_MUL, low, low);
	ir_reg sum = ir_binary(b, IR_ADD, ir_binary_imm(b, IR_SHL, cross, 32),
			       square);
	ir_reg carry = ir_binary(b, IR_ULT, sum, square);
	ir_reg upper = ir_binary(b, IR_ADD, ir_binary(b, IR_MUL, high, high),
				 ir_binary_imm(b, IR_LSR, cross, 32));

	ir_slot(&u->slots, IR_SLOT_ADD, 0, u->increment);
	ir_slot(&u->slots, IR_SLOT_ADD, 1, u->value);
	ir_slot_add128(&u->slots, 2, sum, ir_binary(b, IR_ADD, upper, carry));
}

static const struct aggregate stddev_aggregate = {
	.update = update,
	.always_changes = true,
	.has_bar = true,
	.nvalues = four_values,
	.merge = merge,
	.compare = compare,
	.count = agg_first_count,
	.number = number,
	.is_unsigned = true,
};

const struct function agg_stddev = {
	.name = "stddev",
	.prototype = "void (@)",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.since = 6,
	.check = agg_check_value,
	.check_aggregation = agg_note_use,
	.lower = agg_lower,
	.aggregate = &stddev_aggregate,
};
