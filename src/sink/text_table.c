/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregations as text: one row per key, with its keys and values in columns,
 * by a format of printa(), or drawn (text_drawn.c).
 */
#include "agg/agg.h"
#include "sink/render.h"
#include "sink/text_histogram.h"

static void put_value(const struct renderer *renderer,
		      const struct fact_table *table, uint32_t i,
		      const int64_t *values, struct text *out)
{
	const struct aggregate *aggregate = table->aggregations[i]->aggregate;

	if (!aggregate->number) {
		histogram_block(table->aggregations[i], values,
				table->normals[i], renderer->options, out);
		return;
	}
	long long number = aggregate->number(values, table->normals[i]);

	if (aggregate->is_unsigned)
		text_printf(out, " %16llu", (unsigned long long)number);
	else
		text_printf(out, " %16lld", number);
}

static void put_row(const struct renderer *renderer,
		    const struct fact_table *table, const struct fact_row *row,
		    struct text *out)
{
	for (uint32_t i = 0; i < row->nkeys; i++)
		render_key(renderer, &row->keys[i], out);
	for (uint32_t i = 0; i < table->naggregations; i++)
		put_value(renderer, table, i, row->values[i], out);
	text_putc(out, '\n');
	/* a line for every CPU that contributed */
	for (uint32_t i = 0; i < row->ncpus; i++) {
		const struct fact_cpu_values *cpu = &row->cpus[i];

		text_printf(out, "    [CPU %u]", cpu->cpu);
		put_value(renderer, table, cpu->aggregation, cpu->values, out);
		text_putc(out, '\n');
	}
}

void render_table(const struct renderer *renderer,
		  const struct fact_table *table, const struct format *format,
		  struct text *out)
{
	if (!format && render_drawn(renderer, table, out))
		return;
	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		if (format)
			render_format(renderer, format, row.keys, row.nkeys,
				      table, &row, out);
		else
			put_row(renderer, table, &row, out);
	}
}
