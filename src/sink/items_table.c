/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregations as the JSON object of doc/output.md.
 *
 * Numbers are what printing would show (averages, normalized values).  Buckets
 * of histograms are [low, high, count], inclusive, with null where a bucket is
 * unbounded; empty ones are omitted.
 */
#include "agg/agg.h"
#include "sink/items.h"

static void put_bound(int64_t bound, bool is_open, struct text *out)
{
	if (is_open)
		text_puts(out, "null");
	else
		text_printf(out, "%lld", (long long)bound);
}

static void put_buckets(const struct schema_aggregation *schema,
			uint64_t normal, const int64_t *values,
			struct text *out)
{
	bool is_first = true;

	text_putc(out, '[');
	for (uint32_t i = 0; i < schema->nvalues; i++) {
		if (!values[i])
			continue;
		struct agg_range range =
			schema->aggregate->range(schema->params,
						 schema->nvalues, i);

		text_puts(out, is_first ? "[" : ", [");
		is_first = false;
		put_bound(range.low, range.is_open_below, out);
		text_puts(out, ", ");
		put_bound(range.high, range.is_open_above, out);
		text_printf(out, ", %lld]",
			    (long long)agg_divide(values[i], normal));
	}
	text_putc(out, ']');
}

static void put_result(const struct fact_table *table, uint32_t i,
		       const int64_t *values, struct text *out)
{
	const struct schema_aggregation *schema = table->aggregations[i];

	if (schema->aggregate->number)
		agg_put_number(schema, table->normals[i], values, out);
	else
		put_buckets(schema, table->normals[i], values, out);
}

static void put_head(const struct fact_table *table, struct text *out)
{
	json_name(out, "aggregations");
	text_putc(out, '[');
	for (uint32_t i = 0; i < table->naggregations; i++) {
		text_puts(out, i ? ", {" : "{");
		json_name(out, "name");
		json_word(out, table->aggregations[i]->name);
		json_name(out, "function");
		json_word(out, table->aggregations[i]->function);
		json_name(out, "normal");
		text_printf(out, "%llu", (unsigned long long)table->normals[i]);
		text_putc(out, '}');
	}
	text_putc(out, ']');
	json_name(out, "keys");
	text_putc(out, '[');
	for (uint32_t i = 0; i < table->nkeys; i++) {
		text_puts(out, i ? ", {" : "{");
		json_name(out, "name");
		json_word(out, table->keys[i].name);
		json_name(out, "type");
		json_word(out, table->keys[i].type);
		text_putc(out, '}');
	}
	text_putc(out, ']');
}

static void put_percentiles(const struct schema_aggregation *schema,
			    const int64_t *values, struct text *out)
{
	uint32_t bucket;

	if (!schema->aggregate->range) {
		text_puts(out, "null");
		return;
	}
	text_putc(out, '{');
	for (const struct percentile *p = percentiles; p->name; p++) {
		if (!histogram_percentile(values, schema->nvalues, p->permille,
					  &bucket))
			break;
		struct agg_range range =
			schema->aggregate->range(schema->params,
						 schema->nvalues, bucket);

		json_name(out, p->name);
		put_bound(range.high, range.is_open_above, out);
	}
	text_putc(out, '}');
}

static void put_cpus(const struct fact_table *table, const struct fact_row *row,
		     struct text *out)
{
	json_name(out, "cpus");
	text_putc(out, '[');
	for (uint32_t i = 0; i < row->ncpus; i++) {
		const struct fact_cpu_values *cpu = &row->cpus[i];

		text_puts(out, i ? ", {" : "{");
		json_name(out, "cpu");
		text_printf(out, "%u", cpu->cpu);
		json_name(out, "name");
		json_word(out, table->aggregations[cpu->aggregation]->name);
		json_name(out, "value");
		put_result(table, cpu->aggregation, cpu->values, out);
		text_putc(out, '}');
	}
	text_putc(out, ']');
}

static bool has_histogram(const struct fact_table *table)
{
	for (uint32_t i = 0; i < table->naggregations; i++)
		if (table->aggregations[i]->aggregate->range)
			return true;
	return false;
}

static void put_row(const struct items *items, const struct fact_table *table,
		    const struct fact_row *row, struct text *out)
{
	text_putc(out, '{');
	json_name(out, "key");
	text_putc(out, '[');
	for (uint32_t i = 0; i < row->nkeys; i++) {
		if (i)
			text_puts(out, ", ");
		json_value(&items->renderer, &row->keys[i], out);
	}
	text_putc(out, ']');
	json_name(out, "value");
	text_putc(out, '[');
	for (uint32_t i = 0; i < table->naggregations; i++) {
		if (i)
			text_puts(out, ", ");
		put_result(table, i, row->values[i], out);
	}
	text_putc(out, ']');
	if (option_on(items->renderer.options, OPTION_AGGPCT) &&
	    has_histogram(table)) {
		json_name(out, "percentiles");
		text_putc(out, '[');
		for (uint32_t i = 0; i < table->naggregations; i++) {
			if (i)
				text_puts(out, ", ");
			put_percentiles(table->aggregations[i], row->values[i],
					out);
		}
		text_putc(out, ']');
	}
	if (table->is_per_cpu)
		put_cpus(table, row, out);
	text_putc(out, '}');
}

void items_put_table(const struct items *items, const struct fact_table *table,
		     struct text *out)
{
	text_putc(out, '{');
	put_head(table, out);
	json_name(out, "rows");
	text_putc(out, '[');
	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		if (i)
			text_puts(out, ", ");
		put_row(items, table, &row, out);
	}
	text_puts(out, "]}");
}
