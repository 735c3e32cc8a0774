/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Aggregations joined on their keys and sorted (aggprint.c): what the ways of
 * printing them start from.
 */

#include "run/aggregate.h"

struct joined_row {
	/* the keys, as one of the joined variables holds them */
	const struct agg_layout *layout;
	const uint8_t *key;
	/* by joined variable; NULL: has no such key */
	struct agg_element **elements;
};

struct agg_table {
	struct printer *printer;
	struct agg_variable **variables;
	uint32_t nvariables;
	struct joined_row *rows;
	uint32_t count;
	int64_t *zeros;		/* values of an element that is not there */
	/* how to sort */
	uint32_t by;		/* which variable gives the value */
	bool is_by_key, is_reversed;
};

/* Values of the i-th variable in that row; zeros if it has no such key. */
const int64_t *joined_values(const struct agg_table *table,
			      const struct joined_row *row, uint32_t i);
/* -x agghist, -x aggpack (aggdraw.c); false: not wanted, or no such table. */
bool agg_table_drawn(const struct agg_table *table, struct text *out);
/* -x oformat (aggdata.c) */
void agg_table_structured(const struct agg_table *table, struct text *scratch);
