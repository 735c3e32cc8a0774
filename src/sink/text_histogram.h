/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Histograms as text: rows with a bar each, percentiles under them. */

#include "agg/agg.h"

void histogram_draw(const struct aggregate *aggregate, const int64_t *values,
		    uint32_t nvalues, const int64_t *params, uint64_t normal,
		    const struct options *options, struct text *out);
/* The same with what options put under it: -x aggpct. */
void histogram_block(const struct schema_aggregation *schema,
		     const int64_t *values, uint64_t normal,
		     const struct options *options, struct text *out);

/* How long bars are: built from all counts, then asked for each. */
struct histogram_scale {
	bool has_negative, has_positive;
	long double total, largest; /* of the counts' magnitudes */
	bool is_utf8;
	unsigned width;
};
void histogram_scale_add(struct histogram_scale *scale, int64_t count);
void histogram_scale_end(struct histogram_scale *scale,
			 const struct options *options);
/* 41 columns: axis and bar. */
void histogram_bar(const struct histogram_scale *scale, int64_t count,
		   struct text *out);
