/* SPDX-License-Identifier: Apache-2.0 */
/*
 * max(x): the largest value, as a signed number.  An element exists only
 * once a value arrived, so the identity shows only after clear().
 */
#include "agg/agg.h"
#include "agg/functions.h"

static void merge(int64_t *into, const int64_t *from, uint32_t nvalues)
{
	(void)nvalues;
	if (*from > *into)
		*into = *from;
}

static const struct aggregate max_aggregate = {
	.update = AGG_MAX,
	.nvalues = agg_one_value,
	.identity = INT64_MIN,
	.merge = merge,
	.compare = agg_compare_first,
	.number = agg_first_number,
};

const struct function agg_max = {
	.name = "max",
	.prototype = "void (@)",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.check = agg_check_value,
	.check_aggregation = agg_note_use,
	.lower = agg_lower,
	.aggregate = &max_aggregate,
};
