/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregations drawn: a bar for every value (-x agghist), a line for every
 * histogram (-x aggpack).
 *
 * Both print one header and one row per key, with the keys in columns whose
 * width depends on their size.  Aggregations that do not fit stay as they are:
 * agghist does not change histograms and values without keys, aggpack changes
 * only quantize() and lquantize().
 *
 *	              key  ------------- Distribution ------------- count
 *	             bash |@@@@@@@@@@                               5
 *
 *	              key  min .-----. max  | count
 *	             bash    8 : xX_ : 128  | 12
 *
 * A cell of a packed histogram shows its share of the row's total in eight
 * steps.  Block characters are used where a terminal has them: not with
 * encoding=ascii, nor if TERM names a simple terminal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "ir/abi.h"
#include "sink/render.h"
#include "sink/text_histogram.h"

enum { STRING_KEY_WIDTH = 16, DIGITS_MIN = 4, BOUND_WIDTH = 8 };

/* ------------------------------------------------------------------ keys */

static int key_width(const struct fact_value *key)
{
	if (key->kind != FACT_INTEGER)
		return STRING_KEY_WIDTH;
	switch (key->size) {
	case 1:
		return 3;
	case 2:
		return 5;
	case 4:
		return 8;
	default:
		return 16;
	}
}

/* Columns of all keys, with a blank before each. */
static int keys_width(const struct fact_table *table)
{
	struct fact_row row;
	int width = 0;

	table->row(table, 0, &row);
	for (uint32_t i = 0; i < row.nkeys; i++)
		width += key_width(&row.keys[i]) + 1;
	return width;
}

static void put_keys(const struct renderer *renderer,
		     const struct fact_row *row, struct text *out)
{
	for (uint32_t i = 0; i < row->nkeys; i++) {
		const struct fact_value *key = &row->keys[i];
		struct text name = { 0 };

		switch (key->kind) {
		case FACT_INTEGER:
			text_printf(&name, "%lld",
				    (long long)fact_integer(key));
			break;
		case FACT_STRING:
			render_bytes(renderer, key, (const char *)key->bytes,
				     fact_length(key), &name);
			break;
		case FACT_SYMBOL:
			render_symbol(renderer, key, &name);
			break;
		default:
			render_key(renderer, key, &name);
		}
		text_printf(out, " %*s", key_width(key), text_str(&name));
		text_free(&name);
	}
}

/* The values of the only aggregation in row i. */
static const int64_t *values_of(const struct fact_table *table, uint32_t i,
				struct fact_row *row)
{
	table->row(table, i, row);
	return row->values[0];
}

/* --------------------------------------------------------------- agghist */

static void draw_bars(const struct renderer *renderer,
		      const struct fact_table *table, struct text *out)
{
	const struct aggregate *aggregate = table->aggregations[0]->aggregate;
	struct histogram_scale scale = { 0 };
	struct fact_row row;

	for (uint32_t i = 0; i < table->nrows; i++)
		histogram_scale_add(&scale,
				    aggregate->number(values_of(table, i, &row),
						      1));
	histogram_scale_end(&scale, renderer->options);

	text_printf(out, "\n%*s %41s %-9s\n", keys_width(table), "key",
		    "------------- Distribution -------------", "count");
	for (uint32_t i = 0; i < table->nrows; i++) {
		const int64_t *values = values_of(table, i, &row);

		put_keys(renderer, &row, out);
		text_putc(out, ' ');
		histogram_bar(&scale, aggregate->number(values, 1), out);
		text_printf(out, " %-9lld\n",
			    (long long)aggregate->number(values,
							 table->normals[0]));
	}
}

/* --------------------------------------------------------------- aggpack */

struct packing {
	uint32_t first, last;	/* buckets shown */
	char low[32], high[32]; /* labels of these */
	int low_width, high_width;
	bool is_utf8;
};

static bool wants_utf8(const struct options *options)
{
	const char *encoding = option_text(options, OPTION_ENCODING);
	const char *terminal = getenv("TERM");

	if (options->values[OPTION_ENCODING].is_set)
		return encoding && !strcmp(encoding, "utf8");
	return !terminal ||
	       (strcmp(terminal, "dumb") && strcmp(terminal, "sun"));
}

static void label_bound(char *label, size_t size, const char *prefix,
			int64_t bound)
{
	snprintf(label, size, "%s%lld", prefix, (long long)bound);
}

static int digits(const char *label)
{
	int n = (int)strlen(label);

	return n < DIGITS_MIN ? DIGITS_MIN : n;
}

/* Buckets that some key uses, with an empty neighbour on each side. */
static void find_buckets(const struct fact_table *table,
			 struct packing *packing)
{
	const struct schema_aggregation *schema = table->aggregations[0];
	struct fact_row row;
	bool is_any = false;

	packing->first = QUANTIZE_ZERO;
	packing->last = QUANTIZE_ZERO;
	for (uint32_t i = 0; i < table->nrows; i++) {
		uint32_t first, last;

		if (!histogram_range(values_of(table, i, &row), schema->nvalues,
				     &first, &last))
			continue;
		if (!is_any || first < packing->first)
			packing->first = first;
		if (!is_any || last > packing->last)
			packing->last = last;
		is_any = true;
	}
	label_bound(packing->low, sizeof(packing->low), "",
		    quantize_label(packing->first));
	label_bound(packing->high, sizeof(packing->high), "",
		    quantize_label(packing->last));
	packing->low_width = digits(packing->low);
	packing->high_width = digits(packing->high);
}

/* All of them: the user chose the range. */
static void take_all_buckets(const struct fact_table *table,
			     struct packing *packing)
{
	const struct schema_aggregation *schema = table->aggregations[0];
	const int64_t *params = schema->params;
	uint32_t last = schema->nvalues - 1;
	struct agg_range range =
		schema->aggregate->range(params, schema->nvalues, last);

	packing->first = 0;
	packing->last = last;
	label_bound(packing->low, sizeof(packing->low), "< ", params[0]);
	label_bound(packing->high, sizeof(packing->high), ">= ", range.low);
	packing->low_width = BOUND_WIDTH;
	packing->high_width = BOUND_WIDTH;
}

static void put_cell(const struct packing *packing, int64_t count,
		     long double total, struct text *out)
{
	static const char *const blocks[] = {
		"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586",
		"\u2587", "\u2588",
	};
	static const char above[] = "__xxxxXX", below[] = "vvvvVV";
	long double share = count < 0 ? -(long double)count / total
				      : (long double)count / total;

	if (share > 1)
		share = 1;
	if (!count)
		text_putc(out, ' ');
	else if (packing->is_utf8)
		text_puts(out, blocks[(unsigned)(share * 7 + 0.5L)]);
	else if (count > 0)
		text_putc(out, above[(unsigned)(share * 7 + 0.5L)]);
	else
		text_putc(out, below[(unsigned)(share * 5 + 0.5L)]);
}

static void draw_packed_row(const struct renderer *renderer,
			    const struct fact_table *table,
			    const struct packing *packing, uint32_t n,
			    struct text *out)
{
	struct fact_row row;
	const int64_t *values = values_of(table, n, &row);
	struct histogram_scale scale = { 0 };
	int64_t sum = 0;

	for (uint32_t i = packing->first; i <= packing->last; i++) {
		histogram_scale_add(&scale, values[i]);
		sum = (int64_t)((uint64_t)sum + (uint64_t)values[i]);
	}
	histogram_scale_end(&scale, renderer->options);
	put_keys(renderer, &row, out);
	text_printf(out, " %*s :", packing->low_width, packing->low);
	for (uint32_t i = packing->first; i <= packing->last; i++)
		put_cell(packing, values[i], scale.total, out);
	text_printf(out, ": %-*s | %lld\n", packing->high_width, packing->high,
		    (long long)agg_divide(sum, table->normals[0]));
}

static void draw_packed(const struct renderer *renderer,
			const struct fact_table *table, struct text *out)
{
	struct packing packing = {
		.is_utf8 = wants_utf8(renderer->options),
	};

	if (table->aggregations[0]->aggregate->packs == PACKS_USED)
		find_buckets(table, &packing);
	else
		take_all_buckets(table, &packing);
	text_printf(out, "\n%*s %*s .", keys_width(table),
		    table->nkeys ? "key" : "", packing.low_width, "min");
	for (uint32_t i = packing.first; i <= packing.last; i++)
		text_putc(out, '-');
	text_printf(out, ". %-*s | count\n", packing.high_width, "max");
	for (uint32_t i = 0; i < table->nrows; i++)
		draw_packed_row(renderer, table, &packing, i, out);
}

/* ---------------------------------------------------------------- choice */

bool render_drawn(const struct renderer *renderer,
		  const struct fact_table *table, struct text *out)
{
	if (table->naggregations != 1 || !table->nrows)
		return false;
	const struct aggregate *aggregate = table->aggregations[0]->aggregate;

	if (aggregate->has_bar && table->nkeys &&
	    option_on(renderer->options, OPTION_AGGHIST)) {
		draw_bars(renderer, table, out);
		return true;
	}
	if (aggregate->packs && option_on(renderer->options, OPTION_AGGPACK)) {
		draw_packed(renderer, table, out);
		return true;
	}
	return false;
}
