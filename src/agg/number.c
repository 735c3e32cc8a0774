/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the aggregating functions share: addition, comparison and division.
 *
 * Values are signed 64-bit words.  The normal of normalize() is an unsigned
 * divisor, so magnitudes are divided and the sign is restored: users expect
 * this of integer division, and no pair of operands traps.
 */
#include "agg/agg.h"

int64_t agg_divide(int64_t value, uint64_t normal)
{
	if (normal <= 1)
		return value;
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
	uint64_t quotient = magnitude / normal;

	return (int64_t)(value < 0 ? -quotient : quotient);
}

ir_reg agg_sign(struct ir_builder *b, ir_reg value)
{
	return ir_binary_imm(b, IR_ASR, value, 63);
}

ir_reg agg_signed(struct ir_builder *b, ir_reg x, ir_reg sign)
{
	return ir_binary(b, IR_SUB, ir_binary(b, IR_XOR, x, sign), sign);
}

uint32_t agg_one_value(const int64_t *params)
{
	(void)params;
	return 1;
}

void agg_merge_add(int64_t *into, const int64_t *from, uint32_t nvalues)
{
	for (uint32_t i = 0; i < nvalues; i++)
		into[i] = (int64_t)((uint64_t)into[i] + (uint64_t)from[i]);
}

int agg_compare_first(const int64_t *a, const int64_t *b, uint32_t nvalues,
		      const int64_t *params)
{
	(void)nvalues;
	(void)params;
	return (*a > *b) - (*a < *b);
}

int64_t agg_first_number(const int64_t *values, uint64_t normal)
{
	return agg_divide(values[0], normal);
}

uint64_t agg_first_count(const int64_t *values, uint32_t nvalues)
{
	(void)nvalues;
	return (uint64_t)values[0];
}

int agg_compare_totals(long double a, long double b)
{
	return (a > b) - (a < b);
}

void agg_put_number(const struct schema_aggregation *schema, uint64_t normal,
		    const int64_t *values, struct text *out)
{
	long long number = schema->aggregate->number(values, normal);

	if (schema->aggregate->is_unsigned)
		text_printf(out, "%llu", (unsigned long long)number);
	else
		text_printf(out, "%lld", number);
}
