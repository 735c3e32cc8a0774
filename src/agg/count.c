/* SPDX-License-Identifier: Apache-2.0 */
/* count(): the number of calls. */
#include "agg/agg.h"
#include "agg/functions.h"

static void update(struct agg_update *u)
{
	ir_slot(&u->slots, IR_SLOT_ADD, 0, u->increment);
}

static const struct aggregate count_aggregate = {
	.update = update,
	.always_changes = true,
	.has_bar = true,
	.nvalues = agg_one_value,
	.merge = agg_merge_add,
	.compare = agg_compare_first,
	.count = agg_first_count,
	.number = agg_first_number,
	.is_unsigned = true,
};

const struct function agg_count = {
	.name = "count",
	.prototype = "void ()",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.check_aggregation = agg_note_use,
	.lower = agg_lower,
	.aggregate = &count_aggregate,
};
