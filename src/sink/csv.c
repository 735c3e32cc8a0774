/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -x oformat=csv: tables of aggregations, and nothing else.  One row per key;
 * for histograms, one row per bucket that is not empty.
 */
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "sink/json_text.h"
#include "sink/output.h"
#include "sink/sink.h"

struct csv {
	struct sink sink;
	struct output *output;
	struct renderer renderer;
	struct text rows;
};

static struct sink *csv_open(const struct sink_setup *setup)
{
	struct csv *csv = must_alloc(sizeof(*csv));

	csv->sink.class = &sink_csv;
	csv->output = setup->output;
	csv->renderer = (struct renderer){
		.options = setup->options,
		.resolver = setup->resolver,
		.target = setup->target,
		.is_quiet = true,
	};
	return &csv->sink;
}

static void csv_close(struct sink *sink)
{
	text_free(&((struct csv *)sink)->rows);
	free(sink);
}

static void put_field(const char *bytes, size_t n, struct text *out)
{
	bool is_quoted = false;

	for (size_t i = 0; i < n; i++)
		is_quoted |= bytes[i] == ',' || bytes[i] == '"' ||
			     bytes[i] == '\n' || bytes[i] == '\r';
	if (!is_quoted) {
		text_add(out, bytes, n);
		return;
	}
	text_putc(out, '"');
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '"')
			text_putc(out, '"');
		text_putc(out, bytes[i]);
	}
	text_putc(out, '"');
}

static void put_key(const struct csv *csv, const struct fact_value *key,
		    struct text *out)
{
	struct text text = { 0 };

	switch (key->kind) {
	case FACT_STRING:
		text_add(&text, (const char *)key->bytes, fact_length(key));
		break;
	case FACT_SYMBOL:
		render_symbol(&csv->renderer, key, &text);
		break;
	case FACT_STACK:
		render_stack(&csv->renderer, key, 0, &text);
		break;
	default:
		json_value(&csv->renderer, key, &text);
	}
	/* frames: one per line, without the newline before the first */
	const char *start = text_str(&text);
	size_t n = text.n;

	if (n && key->kind == FACT_STACK) {
		start++;
		n -= n > 1 ? 2 : 1;
	}
	put_field(start, n, out);
	text_free(&text);
}

static void put_head(const struct fact_table *table, uint32_t v,
		     struct text *out)
{
	const struct schema_aggregation *schema = table->aggregations[v];

	text_puts(out, "aggregation");
	for (uint32_t i = 0; i < table->nkeys; i++) {
		const char *name = table->keys[i].name;

		if (name)
			text_printf(out, ",%s", name);
		else
			text_printf(out, ",key%u", i + 1);
	}
	if (schema->aggregate->range)
		text_puts(out, ",low,high,count\n");
	else
		text_printf(out, ",%s\n", schema->function);
}

static void start_row(const struct csv *csv, const char *name,
		      const struct fact_row *row, struct text *out)
{
	put_field(name, strlen(name), out);
	for (uint32_t i = 0; i < row->nkeys; i++) {
		text_putc(out, ',');
		put_key(csv, &row->keys[i], out);
	}
	text_putc(out, ',');
}

static void put_row(const struct csv *csv, const struct fact_table *table,
		    const struct fact_row *row, uint32_t v, struct text *out)
{
	const struct schema_aggregation *schema = table->aggregations[v];
	const int64_t *values = row->values[v];

	if (!schema->aggregate->range) {
		start_row(csv, schema->name, row, out);
		agg_put_number(schema, table->normals[v], values, out);
		text_putc(out, '\n');
		return;
	}
	for (uint32_t i = 0; i < schema->nvalues; i++) {
		struct agg_range range =
			schema->aggregate->range(schema->params,
						 schema->nvalues, i);

		if (!values[i])
			continue;
		start_row(csv, schema->name, row, out);
		if (!range.is_open_below)
			text_printf(out, "%lld", (long long)range.low);
		text_putc(out, ',');
		if (!range.is_open_above)
			text_printf(out, "%lld", (long long)range.high);
		text_printf(out, ",%lld\n",
			    (long long)agg_divide(values[i],
						  table->normals[v]));
	}
}

static bool csv_table(struct sink *sink, const struct fact_table *table)
{
	struct csv *csv = (struct csv *)sink;
	struct text *rows = &csv->rows, shown = { 0 };
	struct fact_row row;

	text_clear(rows);
	for (uint32_t v = 0; v < table->naggregations; v++) {
		put_head(table, v, rows);
		for (uint32_t i = 0; i < table->nrows; i++) {
			table->row(table, i, &row);
			put_row(csv, table, &row, v, rows);
		}
	}
	if (csv->output->is_device) {
		text_add_visible(&shown, text_str(rows), rows->n,
				 VISIBLE_LINES);
		rows = &shown;
	}
	output_write(csv->output, text_str(rows), rows->n);
	text_free(&shown);
	return true;
}

static bool csv_action(struct sink *sink, const struct fact_record *record,
		       const struct fact_action *action)
{
	(void)record;
	return !action->table || csv_table(sink, action->table);
}

static int csv_flush(struct sink *sink)
{
	return output_flush(((struct csv *)sink)->output);
}

const struct sink_class sink_csv = {
	.name = "csv",
	.is_document = true,
	.open = csv_open,
	.close = csv_close,
	.action = csv_action,
	.table = csv_table,
	.flush = csv_flush,
};
