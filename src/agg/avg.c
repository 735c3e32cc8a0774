/* SPDX-License-Identifier: Apache-2.0 */
/*
 * avg(x): number of values and their sum.  The quotient is computed when it is
 * printed or sorted, so that merging stays exact.
 */
#include "agg/agg.h"
#include "agg/functions.h"

static uint32_t two_values(const int64_t *params)
{
	(void)params;
	return 2;
}

static int64_t number(const int64_t *values, uint64_t normal)
{
	if (!values[0])
		return 0;
	return agg_divide(agg_divide(values[1], normal), (uint64_t)values[0]);
}

static int compare(const int64_t *a, const int64_t *b, uint32_t nvalues,
		   const int64_t *params)
{
	int64_t x = number(a, 1), y = number(b, 1);

	(void)nvalues;
	(void)params;
	return (x > y) - (x < y);
}

static void update(struct agg_update *u)
{
	ir_slot(&u->slots, IR_SLOT_ADD, 0, u->increment);
	ir_slot(&u->slots, IR_SLOT_ADD, 1, u->value);
}

static const struct aggregate avg_aggregate = {
	.update = update,
	.always_changes = true,
	.has_bar = true,
	.nvalues = two_values,
	.merge = agg_merge_add,
	.compare = compare,
	.count = agg_first_count,
	.number = number,
};

const struct function agg_avg = {
	.name = "avg",
	.prototype = "void (@)",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.check = agg_check_value,
	.check_aggregation = agg_note_use,
	.lower = agg_lower,
	.aggregate = &avg_aggregate,
};
