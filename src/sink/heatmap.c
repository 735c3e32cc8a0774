/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -x heatmap: histograms by interval.
 *
 * A snapshot holds what was counted in an interval (run/snapshot.c), so it is a
 * column: buckets are rows, and keys are keys.  It is taken a moment after the
 * interval has ended and stamped with both of its ends; the middle says which
 * interval it was.
 */
#include "agg/agg.h"
#include "sink/heat.h"

static struct grid *grid_of(struct heat_sink *heat,
			    const struct schema_aggregation *aggregation)
{
	struct grid *grid = heat_grid(heat, aggregation);

	if (grid)
		return grid;
	grid = heat_new_grid(heat, aggregation, aggregation->keys,
			     aggregation->nkeys);
	heat_name_grid(grid, aggregation, aggregation->function);
	grid->value_unit = option_text(heat->options, OPTION_UNIT);
	heat_set_rows(grid, aggregation);
	grid->scale = grid_scale_of_rows(grid);
	return grid;
}

static bool heatmap_snapshot(struct sink *sink,
			     const struct fact_snapshot *snapshot)
{
	struct heat_sink *heat = (struct heat_sink *)sink;
	const struct fact_table *table = snapshot->table;
	const struct schema_aggregation *aggregation = table->aggregations[0];
	int64_t middle = heat_time(snapshot->from +
				   (snapshot->to - snapshot->from) / 2);

	heat->ended = heat_time(snapshot->to);
	if (!aggregation->aggregate->range)
		return true;
	heat->nsnapshots++;
	heat->nlong += snapshot->to - snapshot->from > 2 * heat->step;
	struct grid *grid = grid_of(heat, aggregation);

	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		struct grid_cell cell = heat_cell(heat, grid, row.keys,
						  row.nkeys);

		cell.column = middle / (int64_t)heat->step;
		for (cell.row = 0; cell.row < grid->nrows; cell.row++) {
			cell.count = row.values[0][cell.row];
			if (cell.count)
				grid_add(grid, &cell);
		}
	}
	return true;
}

/* Old recordings, and those of runs that were killed at once, have no others. */
static bool heatmap_table(struct sink *sink, const struct fact_table *table)
{
	struct heat_sink *heat = (struct heat_sink *)sink;

	for (uint32_t i = 0; i < table->naggregations; i++)
		heat->has_tables |= table->nrows &&
				    table->aggregations[i]->aggregate->range;
	return true;
}

static const struct sink_class heatmap_class;

static struct sink *heatmap_open(const struct sink_setup *setup)
{
	int64_t interval = option_number(setup->options, OPTION_INTERVAL);

	return heat_open(&heatmap_class, setup,
			 interval > 0 ? (uint64_t)interval : HEAT_SECOND);
}

static const struct sink_class heatmap_class = {
	.name = "heatmap",
	.open = heatmap_open,
	.close = heat_close,
	.start = heat_start,
	.table = heatmap_table,
	.snapshot = heatmap_snapshot,
	.drop = heat_drop,
	.fault = heat_fault,
	.end = heat_end,
};

/* Is there a histogram? */
static const char *refuses(const struct schema *schema)
{
	for (uint32_t i = 0; i < schema->naggregations; i++)
		if (schema->aggregations[i] &&
		    schema->aggregations[i]->aggregate->range)
			return NULL;
	return "no aggregation is a histogram (quantize, lquantize, llquantize)";
}

const struct picture picture_heatmap = {
	.class = &heatmap_class,
	.suffixes = "svg html",
	.takes_snapshots = true,
	.interval = HEAT_SECOND,
	.refuses = refuses,
	.draw = heat_draw,
};
