/* SPDX-License-Identifier: Apache-2.0 */
/* sum(x): the total, wrapping at 64 bits. */
#include "agg/agg.h"
#include "agg/functions.h"

static void update(struct agg_update *u)
{
	ir_slot(&u->slots, IR_SLOT_ADD, 0, u->value);
}

static const struct aggregate sum_aggregate = {
	.update = update,
	.has_bar = true,
	.nvalues = agg_one_value,
	.merge = agg_merge_add,
	.compare = agg_compare_first,
	.number = agg_first_number,
};

const struct function agg_sum = {
	.name = "sum",
	.prototype = "void (@)",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.check = agg_check_value,
	.check_aggregation = agg_note_use,
	.lower = agg_lower,
	.aggregate = &sum_aggregate,
};
