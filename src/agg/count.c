/* SPDX-License-Identifier: Apache-2.0 */
/* count(): how often. */
#include "agg/agg.h"
#include "agg/functions.h"

static const struct aggregate count_aggregate = {
	.update = AGG_COUNT,
	.nvalues = agg_one_value,
	.merge = agg_merge_add,
	.compare = agg_compare_first,
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
