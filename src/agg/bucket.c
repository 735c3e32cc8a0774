/* SPDX-License-Identifier: Apache-2.0 */
/* What histograms share: names of buckets, and which of them are used. */
#include <stdio.h>

#include "agg/agg.h"

void histogram_name(struct histogram_label *label, const char *prefix,
		    int64_t bound)
{
	char text[40];

	snprintf(text, sizeof(text), "%s%lld", prefix, (long long)bound);
	snprintf(label->text, sizeof(label->text), "%16.23s", text);
}

uint64_t agg_bucket_count(const int64_t *values, uint32_t nvalues)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < nvalues; i++)
		count += (uint64_t)values[i];
	return count;
}

bool histogram_range(const int64_t *values, uint32_t nvalues, uint32_t *first,
		     uint32_t *last)
{
	uint32_t low = 0, high = nvalues;

	while (low < nvalues && !values[low])
		low++;
	if (low == nvalues)
		return false;
	while (!values[high - 1])
		high--;
	*first = low ? low - 1 : 0;
	*last = high < nvalues ? high : nvalues - 1;
	return true;
}
