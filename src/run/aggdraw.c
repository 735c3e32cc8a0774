/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregations drawn: a bar for every value (-x agghist), a line for every
 * histogram (-x aggpack).
 *
 * Both print one header and one row per key, with the keys in columns that
 * depend on their size.  What an aggregation is not made for stays as it is:
 * agghist leaves histograms and values without keys alone, aggpack everything
 * but quantize() and lquantize().
 *
 *	              key  ------------- Distribution ------------- count
 *	             bash |@@@@@@@@@@                               5
 *
 *	              key  min .-----. max  | count
 *	             bash    8 : xX_ : 128  | 12
 *
 * A cell of a packed histogram shows its share of the row's total in eight
 * steps.  Blocks are used where a terminal has them: not with encoding=ascii,
 * nor when TERM says that it is a simple one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/aggtable.h"

enum { STRING_KEY_WIDTH = 16, DIGITS_MIN = 4, BOUND_WIDTH = 8 };

/* ------------------------------------------------------------------ keys */

static int key_width(struct printer *printer, const struct print_value *key)
{
	if (print_value_shape(printer, key) != SHAPE_INTEGER)
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
static int keys_width(const struct agg_table *table)
{
	const struct joined_row *row = &table->rows[0];
	int width = 0;

	for (uint32_t i = 0; i < row->layout->nkeys; i++) {
		struct print_value key = printer_key(
			table->printer, &row->layout->keys[i], row->key);

		width += key_width(table->printer, &key) + 1;
	}
	return width;
}

static void put_keys(const struct agg_table *table,
		     const struct joined_row *row, struct text *out)
{
	struct printer *printer = table->printer;

	for (uint32_t i = 0; i < row->layout->nkeys; i++) {
		struct print_value key = printer_key(
			printer, &row->layout->keys[i], row->key);
		int width = key_width(printer, &key);
		struct text name = { 0 };

		switch (print_value_shape(printer, &key)) {
		case SHAPE_INTEGER:
			text_printf(&name, "%lld",
				    (long long)print_value_integer(
					    printer->types, &key));
			break;
		case SHAPE_STRING:
			print_bytes_of(printer, &key, (const char *)key.bytes,
				       strnlen((const char *)key.bytes,
					       key.size), &name);
			break;
		case SHAPE_ADDRESS:
			print_symbol(printer, &key, &name);
			break;
		default:
			print_key(printer, &key, &name);
		}
		text_printf(out, " %*s", width, text_str(&name));
		text_free(&name);
	}
}

/* --------------------------------------------------------------- agghist */

static void draw_bars(const struct agg_table *table, struct text *out)
{
	const struct agg_variable *variable = table->variables[0];
	const struct aggregate *aggregate =
		variable->layout->function->aggregate;
	struct histogram_scale scale = { 0 };

	for (uint32_t i = 0; i < table->count; i++)
		histogram_scale_add(&scale, aggregate->number(
			joined_values(table, &table->rows[i], 0), 1));
	histogram_scale_end(&scale, table->printer->options);

	text_printf(out, "\n%*s %41s %-9s\n", keys_width(table), "key",
		    "------------- Distribution -------------", "count");
	for (uint32_t i = 0; i < table->count; i++) {
		const int64_t *values = joined_values(table, &table->rows[i],
						       0);

		put_keys(table, &table->rows[i], out);
		text_putc(out, ' ');
		histogram_bar(&scale, aggregate->number(values, 1), out);
		text_printf(out, " %-9lld\n",
			    (long long)aggregate->number(values,
							 variable->normal));
	}
}

/* --------------------------------------------------------------- aggpack */

struct packing {
	uint32_t first, last;		/* buckets shown */
	char low[32], high[32];		/* labels of these */
	int low_width, high_width;
	bool is_utf8;
};

static bool wants_utf8(const struct options *options)
{
	const char *encoding = option_text(options, OPTION_ENCODING);
	const char *terminal = getenv("TERM");

	if (options->values[OPTION_ENCODING].is_set)
		return encoding && !strcmp(encoding, "utf8");
	return !terminal || (strcmp(terminal, "dumb") &&
			     strcmp(terminal, "sun"));
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
static void find_buckets(const struct agg_table *table,
			 struct packing *packing)
{
	const struct agg_layout *layout = table->variables[0]->layout;
	bool is_any = false;

	packing->first = QUANTIZE_ZERO;
	packing->last = QUANTIZE_ZERO;
	for (uint32_t i = 0; i < table->count; i++) {
		uint32_t first, last;

		if (!histogram_range(joined_values(table, &table->rows[i], 0),
				     layout->nvalues, &first, &last))
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

/* All of them: the range was the user's choice. */
static void take_all_buckets(const struct agg_table *table,
			     struct packing *packing)
{
	const struct agg_layout *layout = table->variables[0]->layout;
	const int64_t *params = layout->params;
	uint32_t last = layout->nvalues - 1;
	struct agg_range range = layout->function->aggregate->range(
		params, layout->nvalues, last);

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
	long double share = count < 0 ? -(long double)count / total :
					(long double)count / total;

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

static void draw_packed_row(const struct agg_table *table,
			    const struct packing *packing,
			    const struct joined_row *row, struct text *out)
{
	const struct agg_variable *variable = table->variables[0];
	const int64_t *values = joined_values(table, row, 0);
	struct histogram_scale scale = { 0 };
	int64_t sum = 0;

	for (uint32_t i = packing->first; i <= packing->last; i++) {
		histogram_scale_add(&scale, values[i]);
		sum = (int64_t)((uint64_t)sum + (uint64_t)values[i]);
	}
	histogram_scale_end(&scale, table->printer->options);
	put_keys(table, row, out);
	text_printf(out, " %*s :", packing->low_width, packing->low);
	for (uint32_t i = packing->first; i <= packing->last; i++)
		put_cell(packing, values[i], scale.total, out);
	text_printf(out, ": %-*s | %lld\n", packing->high_width, packing->high,
		    (long long)agg_divide(sum, variable->normal));
}

static void draw_packed(const struct agg_table *table, struct text *out)
{
	const struct agg_layout *layout = table->variables[0]->layout;
	struct packing packing = {
		.is_utf8 = wants_utf8(table->printer->options),
	};

	if (layout->function->aggregate->update == AGG_QUANTIZE)
		find_buckets(table, &packing);
	else
		take_all_buckets(table, &packing);
	text_printf(out, "\n%*s %*s .", keys_width(table),
		    table->rows[0].layout->nkeys ? "key" : "",
		    packing.low_width, "min");
	for (uint32_t i = packing.first; i <= packing.last; i++)
		text_putc(out, '-');
	text_printf(out, ". %-*s | count\n", packing.high_width, "max");
	for (uint32_t i = 0; i < table->count; i++)
		draw_packed_row(table, &packing, &table->rows[i], out);
}

/* ---------------------------------------------------------------- choice */

bool agg_table_drawn(const struct agg_table *table, struct text *out)
{
	const struct options *options = table->printer->options;

	if (table->nvariables != 1 || !table->count)
		return false;
	switch (table->variables[0]->layout->function->aggregate->update) {
	case AGG_COUNT:
	case AGG_SUM:
	case AGG_AVG:
	case AGG_STDDEV:
		if (!option_on(options, OPTION_AGGHIST) ||
		    !table->rows[0].layout->nkeys)
			return false;
		draw_bars(table, out);
		return true;
	case AGG_QUANTIZE:
	case AGG_LQUANTIZE:
		if (!option_on(options, OPTION_AGGPACK))
			return false;
		draw_packed(table, out);
		return true;
	default:
		return false;
	}
}
