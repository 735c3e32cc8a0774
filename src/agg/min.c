/* SPDX-License-Identifier: Apache-2.0 */
/*
 * min(x): the smallest value, as a signed number.  An element exists only once
 * a value has arrived, so the identity is visible only after clear().
 */
#include "agg/agg.h"
#include "agg/functions.h"

static void merge(int64_t *into, const int64_t *from, uint32_t nvalues)
{
	(void)nvalues;
	if (*from < *into)
		*into = *from;
}

static int64_t identity(uint32_t slot)
{
	(void)slot;
	return INT64_MAX;
}

static void update(struct agg_update *u)
{
	ir_slot(&u->slots, IR_SLOT_MIN, 0, u->value);
}

static const struct aggregate min_aggregate = {
	.update = update,
	.nvalues = agg_one_value,
	.identity = identity,
	.merge = merge,
	.compare = agg_compare_first,
	.number = agg_first_number,
};

const struct function agg_min = {
	.name = "min",
	.prototype = "void (@)",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.check = agg_check_value,
	.check_aggregation = agg_note_use,
	.lower = agg_lower,
	.aggregate = &min_aggregate,
};
