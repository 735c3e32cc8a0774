/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms: a header, then one row per bucket with label, bar and count.
 *
 * The layout is exact to the column, for people compare it with golden files:
 *
 *	           value  ------------- Distribution ------------- count
 *	               4 |                                         0
 *	               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3
 *
 * 1. Bars are scaled to the sum of |count| over the rows that are printed,
 *    and rounded half up in long double.
 * 2. Bars use the counts as they are; only the number at the end of the row
 *    is divided by the normal.
 * 3. The count is left-justified in nine columns, so rows end in blanks.
 *
 * Counts can be negative (a negative increment): all of them not positive and
 * the bars grow to the left of the axis; mixed and the axis is in the middle.
 */
#include <stdio.h>
#include <string.h>

#include "agg/agg.h"

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
	const char *encoding = options ?
		option_text(options, OPTION_ENCODING) : NULL;

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

void histogram_print(const struct histogram_row *rows, uint32_t nrows,
		     uint64_t normal, const struct options *options,
		     struct text *out)
{
	struct histogram_scale scale = { 0 };

	for (uint32_t i = 0; i < nrows; i++)
		histogram_scale_add(&scale, rows[i].count);
	histogram_scale_end(&scale, options);
	text_printf(out, "\n%16s %41s %-9s\n", "value",
		    "------------- Distribution -------------", "count");
	for (uint32_t i = 0; i < nrows; i++) {
		text_printf(out, "%16s ", rows[i].label);
		histogram_bar(&scale, rows[i].count, out);
		text_printf(out, " %-9lld\n",
			    (long long)agg_divide(rows[i].count, normal));
	}
}

void histogram_label(struct histogram_row *row, const char *prefix,
		     int64_t bound)
{
	char label[40];

	snprintf(label, sizeof(label), "%s%lld", prefix, (long long)bound);
	snprintf(row->label, sizeof(row->label), "%16.23s", label);
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
