/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range(x): how far apart the smallest and the largest value are.  It is in
 * no product: new_function.sh adds it, to show that this file and one line in
 * functions.def are all that a new aggregating function takes.
 */
#include "agg/agg.h"
#include "agg/functions.h"

enum { LEAST, LARGEST };

static uint32_t two_values(const int64_t *params)
{
	(void)params;
	return 2;
}

static int64_t identity(uint32_t slot)
{
	return slot == LEAST ? INT64_MAX : INT64_MIN;
}

static void update(struct agg_update *u)
{
	ir_slot(&u->slots, IR_SLOT_MIN, LEAST, u->value);
	ir_slot(&u->slots, IR_SLOT_MAX, LARGEST, u->value);
}

static void merge(int64_t *into, const int64_t *from, uint32_t nvalues)
{
	(void)nvalues;
	if (from[LEAST] < into[LEAST])
		into[LEAST] = from[LEAST];
	if (from[LARGEST] > into[LARGEST])
		into[LARGEST] = from[LARGEST];
}

static int64_t number(const int64_t *values, uint64_t normal)
{
	if (values[LARGEST] < values[LEAST])
		return 0;	/* cleared */
	return agg_divide(values[LARGEST] - values[LEAST], normal);
}

static int compare(const int64_t *a, const int64_t *b, uint32_t nvalues,
		   const int64_t *params)
{
	int64_t x = number(a, 1), y = number(b, 1);

	(void)nvalues;
	(void)params;
	return (x > y) - (x < y);
}

static const struct aggregate range_aggregate = {
	.update = update,
	.nvalues = two_values,
	.identity = identity,
	.merge = merge,
	.compare = compare,
	.number = number,
};

const struct function agg_range = {
	.name = "range",
	.prototype = "void (@)",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.check = agg_check_value,
	.check_aggregation = agg_note_use,
	.lower = agg_lower,
	.aggregate = &range_aggregate,
};
