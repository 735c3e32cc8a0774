/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms: a header, then one row per bucket with label, bar and count.
 *
 * The layout is exact to the column, because people compare it with golden
 * files:
 *
 *	           value  ------------- Distribution ------------- count
 *	               4 |                                         0
 *	               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3
 *
 * 1. Bars are scaled to the sum of |count| over the rows that are printed, and
 *    rounded half up in long double.
 * 2. Bars use the raw counts; only the number at the end of the row is divided
 *    by the normal.
 * 3. The count is left-justified in nine columns, so rows end in blanks.
 *
 * Counts can be negative (a negative increment).  If none is positive, the bars
 * grow to the left of the axis; if they are mixed, the axis is in the middle.
 */
#include "sink/text_histogram.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { BAR_WIDTH = 40 };

static long double magnitude(int64_t count)
{
	return count < 0 ? -(long double)count : (long double)count;
}

void histogram_scale_add(struct histogram_scale *scale, int64_t count)
{
	scale->has_negative |= count < 0;
	scale->has_positive |= count > 0;
	scale->total += magnitude(count);
	if (magnitude(count) > scale->largest)
		scale->largest = magnitude(count);
}

static bool has_two_sides(const struct histogram_scale *scale)
{
	return scale->has_negative && scale->has_positive;
}

void histogram_scale_end(struct histogram_scale *scale,
			 const struct options *options)
{
	const char *encoding = options ? option_text(options, OPTION_ENCODING)
				       : NULL;

	scale->width = has_two_sides(scale) ? BAR_WIDTH / 2 : BAR_WIDTH;
	if (options && option_on(options, OPTION_AGGZOOM))
		scale->total = scale->largest / 0.95L;
	scale->is_utf8 = encoding && !strcmp(encoding, "utf8");
}

static void repeat(struct text *out, const char *what, unsigned times)
{
	while (times--)
		text_puts(out, what);
}

static unsigned bar_length(const struct histogram_scale *scale, int64_t count)
{
	if (scale->total <= 0)
		return 0;
	long double length = magnitude(count) * scale->width / scale->total;

	return (unsigned)(length + 0.5L);
}

/* Whole blocks, then one of 1/8 .. 7/8, rounded down; the columns used. */
static unsigned utf8_bar(const struct histogram_scale *scale, int64_t count,
			 struct text *out)
{
	static const char *const eighths[] = {
		"\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a",
		"\u2589",
	};
	if (scale->total <= 0)
		return 0;
	long double length = magnitude(count) * scale->width / scale->total;
	unsigned whole = (unsigned)length;
	unsigned rest = (unsigned)((length - whole) * 8);

	repeat(out, "\u2588", whole);
	if (!rest)
		return whole;
	text_puts(out, eighths[rest - 1]);
	return whole + 1;
}

static void right_bar(const struct histogram_scale *scale, int64_t count,
		      struct text *out)
{
	unsigned used;

	text_putc(out, '|');
	if (scale->is_utf8) {
		used = utf8_bar(scale, count, out);
	} else {
		used = bar_length(scale, count);
		repeat(out, "@", used);
	}
	if (used < scale->width)
		repeat(out, " ", scale->width - used);
}

static void left_bar(const struct histogram_scale *scale, int64_t count,
		     struct text *out)
{
	unsigned length = bar_length(scale, count);

	repeat(out, " ", scale->width - length);
	repeat(out, scale->is_utf8 ? "\u2588" : "@", length);
	text_putc(out, '|');
}

void histogram_bar(const struct histogram_scale *scale, int64_t count,
		   struct text *out)
{
	if (!scale->has_negative) {
		right_bar(scale, count, out);
	} else if (!scale->has_positive) {
		left_bar(scale, count, out);
	} else if (count <= 0) {
		left_bar(scale, count, out);
		repeat(out, " ", scale->width);
	} else {
		repeat(out, " ", scale->width);
		right_bar(scale, count, out);
	}
}

/* An empty histogram shows its middle. */
static void find_rows(const struct aggregate *aggregate, const int64_t *values,
		      uint32_t nvalues, const int64_t *params, uint32_t *first,
		      uint32_t *last)
{
	if (histogram_range(values, nvalues, first, last))
		return;
	uint32_t middle = aggregate->middle(params, nvalues);

	*first = middle - 1;
	*last = middle + 1;
}

void histogram_draw(const struct aggregate *aggregate, const int64_t *values,
		    uint32_t nvalues, const int64_t *params, uint64_t normal,
		    const struct options *options, struct text *out)
{
	struct histogram_scale scale = { 0 };
	uint32_t first, last;

	find_rows(aggregate, values, nvalues, params, &first, &last);
	struct histogram_label *labels =
		must_alloc(checked_mul(last - first + 1, sizeof(*labels)));

	aggregate->labels(params, nvalues, first, last, labels);
	for (uint32_t i = first; i <= last; i++)
		histogram_scale_add(&scale, values[i]);
	histogram_scale_end(&scale, options);
	text_printf(out, "\n%16s %41s %-9s\n", "value",
		    "------------- Distribution -------------", "count");
	for (uint32_t i = first; i <= last; i++) {
		text_printf(out, "%16s ", labels[i - first].text);
		histogram_bar(&scale, values[i], out);
		text_printf(out, " %-9lld\n",
			    (long long)agg_divide(values[i], normal));
	}
	free(labels);
}

/* -x aggpct: what stands under a histogram. */
static void put_percentiles(const struct schema_aggregation *schema,
			    const int64_t *values, struct text *out)
{
	uint32_t bucket;

	for (const struct percentile *p = percentiles; p->name; p++) {
		if (!histogram_percentile(values, schema->nvalues, p->permille,
					  &bucket))
			return;
		struct agg_range range =
			schema->aggregate->range(schema->params,
						 schema->nvalues, bucket);

		text_printf(out, "%16s %s %lld\n", p->name,
			    range.is_open_above ? ">=" : "<=",
			    (long long)(range.is_open_above ? range.low
							    : range.high));
	}
}

void histogram_block(const struct schema_aggregation *schema,
		     const int64_t *values, uint64_t normal,
		     const struct options *options, struct text *out)
{
	histogram_draw(schema->aggregate, values, schema->nvalues,
		       schema->params, normal, options, out);
	if (options && option_on(options, OPTION_AGGPCT))
		put_percentiles(schema, values, out);
}
