/* SPDX-License-Identifier: Apache-2.0 */
/*
 * min(x): the smallest value, as a signed number.  An element exists only
 * once a value arrived, so the identity shows only after clear().
 */
#include "agg/agg.h"
#include "agg/functions.h"

static void merge(int64_t *into, const int64_t *from, uint32_t nvalues)
{
	(void)nvalues;
	if (*from < *into)
		*into = *from;
}

static const struct aggregate min_aggregate = {
	.update = AGG_MIN,
	.nvalues = agg_one_value,
	.identity = INT64_MAX,
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
