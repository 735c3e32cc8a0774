/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Percentiles of histograms (-x aggpct).
 *
 * A histogram knows buckets, not values, so a percentile is a bucket: the first
 * one at which the counts so far reach the requested share.  It is shown as the
 * largest value that the bucket can hold, which the true percentile does not
 * exceed.  For the bucket without an upper bound, only the lower bound is
 * known.
 */
#include "agg/agg.h"

const struct percentile percentiles[] = {
	{ "p50", 500 }, { "p90", 900 }, { "p99", 990 }, { "p99.9", 999 },
	{ "max", 1000 }, { NULL, 0 },
};

bool histogram_percentile(const int64_t *values, uint32_t nvalues,
			  unsigned permille, uint32_t *bucket)
{
	unsigned __int128 total = 0, seen = 0;

	for (uint32_t i = 0; i < nvalues; i++) {
		if (values[i] < 0)
			return false;
		total += (uint64_t)values[i];
	}
	if (!total)
		return false;
	unsigned __int128 rank = (total * permille + 999) / 1000;

	for (uint32_t i = 0; i < nvalues; i++) {
		seen += (uint64_t)values[i];
		if (seen >= rank) {
			*bucket = i;
			return true;
		}
	}
	return false;
}
