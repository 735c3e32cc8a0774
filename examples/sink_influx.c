/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -x oformat=influx: lines of InfluxDB's protocol, to be sent to a database.
 *
 *	name,key=value,... value=17i 1700000000000000000
 *
 * An example of a sink: one file in src/sink/ and a line in base/sinks.def.
 * A row of a table or snapshot is a line; of a histogram a line for each bucket
 * that is not empty, with its upper end as tag `le`.
 */
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "sink/output.h"
#include "sink/render.h"
#include "sink/sink.h"

struct influx {
	struct sink sink;
	struct output *output;
	struct renderer renderer;
	uint64_t wall_offset; /* wall clock minus monotonic clock */
};

static struct sink *influx_open(const struct sink_setup *setup)
{
	struct influx *influx = must_alloc(sizeof(*influx));

	influx->sink.class = &sink_influx;
	influx->output = setup->output;
	influx->renderer.options = setup->options;
	influx->renderer.resolver = setup->resolver;
	return &influx->sink;
}

static void influx_close(struct sink *sink)
{
	free(sink);
}

/* A line stays a line, and nothing escapes what follows. */
static void put(struct text *out, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char c = bytes[i] == '\n' ? ';' : bytes[i] == '\\' ? '/' :
			 (unsigned char)bytes[i] < ' ' ? ' ' : bytes[i];

		if (strchr(", =", c))
			text_putc(out, '\\');
		text_putc(out, c);
	}
}

/* Without blanks around it; the frames of a stack are joined with ';'. */
static void put_key(struct influx *influx, const struct fact_value *key, struct text *out)
{
	struct text text = { 0 };

	if (key->kind == FACT_STACK)
		render_stack(&influx->renderer, key, 0, &text);
	else
		render_key(&influx->renderer, key, &text);
	size_t start = strspn(text_str(&text), " \n"), end = text.n;

	while (end > start && strchr(" \n", text.p[end - 1]))
		end--;
	put(out, end > start ? text.p + start : "-", end > start ? end - start : 1);
	text_free(&text);
}

static void put_row(struct influx *influx, const struct fact_table *table,
		    const struct fact_row *row, uint32_t v, uint64_t wall)
{
	const struct schema_aggregation *schema = table->aggregations[v];
	const struct aggregate *aggregate = schema->aggregate;
	struct text head = { 0 }, line = { 0 };

	put(&head, schema->name, strlen(schema->name));
	for (uint32_t k = 0; k < row->nkeys; k++) {
		const char *name = table->keys[k].name;

		text_putc(&head, ',');
		put(&head, name ? name : "key", strlen(name ? name : "key"));
		text_printf(&head, name ? "=" : "%u=", k + 1);
		put_key(influx, &row->keys[k], &head);
	}
	for (uint32_t n = 0; n < (aggregate->range ? schema->nvalues : 1); n++) {
		if (aggregate->range && !row->values[v][n])
			continue;
		text_clear(&line);
		text_add(&line, text_str(&head), head.n);
		if (aggregate->range) {
			struct agg_range range = aggregate->range(schema->params, schema->nvalues, n);
			int64_t count = agg_divide(row->values[v][n], table->normals[v]);

			text_printf(&line, range.is_open_above ? ",le=+Inf" : ",le=%lld", (long long)range.high);
			text_printf(&line, " value=%lld", (long long)count);
		} else {
			text_puts(&line, " value=");
			agg_put_number(schema, table->normals[v], row->values[v], &line);
		}
		text_printf(&line, "i %llu\n", (unsigned long long)wall);
		output_write(influx->output, text_str(&line), line.n);
	}
	text_free(&head);
	text_free(&line);
}

static bool put_table(struct influx *influx, const struct fact_table *table, uint64_t wall)
{
	struct fact_row row;

	for (uint32_t i = 0; i < table->nrows; i++)
		for (uint32_t v = 0; v < table->naggregations; v++) {
			table->row(table, i, &row);
			put_row(influx, table, &row, v, wall);
		}
	return true;
}

static bool influx_start(struct sink *sink, const struct fact_start *start)
{
	((struct influx *)sink)->wall_offset = start->wall - start->stamp;
	return true;
}

static bool influx_table(struct sink *sink, const struct fact_table *table)
{
	struct influx *influx = (struct influx *)sink;

	return put_table(influx, table, table->stamp + influx->wall_offset);
}

static bool influx_snapshot(struct sink *sink, const struct fact_snapshot *snapshot)
{
	return put_table((struct influx *)sink, snapshot->table, snapshot->from);
}

static int influx_flush(struct sink *sink)
{
	return output_flush(((struct influx *)sink)->output);
}

const struct sink_class sink_influx = {
	.name = "influx", .open = influx_open, .close = influx_close, .flush = influx_flush,
	.start = influx_start, .table = influx_table, .snapshot = influx_snapshot,
};
