/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the aggregating functions share: addition, comparison and division.
 *
 * Values are signed 64-bit words.  The normal of normalize() is an unsigned
 * divisor, so a division is done on magnitudes and the sign put back: this is
 * what integer division means to users, and no pair of operands traps.
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

int agg_compare_totals(long double a, long double b)
{
	return (a > b) - (a < b);
}
