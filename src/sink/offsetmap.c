/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -x offsetmap: events by their offset within the second (minute, hour, day).
 *
 * A column is a second, a row a part of it, so that what happens once a second
 * is a line, and what stops for half of one is a gap.  When the consumer learns
 * of an event says nothing about when it was, so only times that were taken
 * where the probe fired count:
 *
 * 1. An aggregation that has the second as its first key and counts offsets with
 *    lquantize, from 0 to a second in whatever unit:
 *
 *	@[walltimestamp / 1000000000, execname] =
 *	    lquantize(walltimestamp % 1000000000 / 1000, 0, 1000000, 20000);
 *
 *    A clause reads walltimestamp once, so both belong together.  It costs what
 *    an aggregation costs.  Snapshots are used, because clear() and trunc()
 *    leave them alone; which one an event is in does not matter.
 * 2. Records, of any clause that shows something: each is an event at its own
 *    time.  The values of its first such action are the keys.  It costs a record
 *    for each event.
 */
#include "agg/agg.h"
#include "sink/heat.h"

struct period {
	uint64_t ns;
	uint32_t rows; /* of records */
};
/* as the words of -x offsetof */
static const struct period periods[] = {
	{ 1000000000ull, 50 },
	{ 60 * 1000000000ull, 60 },
	{ 3600 * 1000000000ull, 60 },
	{ 86400 * 1000000000ull, 96 },
};

static const struct period *period_of(const struct options *options)
{
	return &periods[option_number(options, OPTION_OFFSETOF)];
}

static struct grid *new_grid(struct heat_sink *heat,
			     const struct schema_aggregation *source,
			     const struct schema_field *keys, uint32_t nkeys)
{
	struct grid *grid = heat_new_grid(heat, source, keys, nkeys);

	grid->value_unit = "ns";
	grid->scale = GRID_OFFSET;
	return grid;
}

/* ---------------------------------------------------------- aggregations */

/* The end of the last bounded row. */
static int64_t end_of(const struct grid *grid)
{
	return grid->rows[grid->nrows - 2].high + 1;
}

/* Rows of equal height from 0 on: parts of the period, in whatever unit. */
static bool is_offset(const struct grid *grid)
{
	return grid->nrows > 2 && grid->rows[0].is_open_below &&
	       grid->rows[1].low == 0 &&
	       grid_scale_of_rows(grid) == GRID_LINEAR;
}

static void scale_rows(struct grid *grid, uint64_t period)
{
	int64_t end = end_of(grid);

	for (uint32_t i = 0; i < grid->nrows; i++) {
		struct grid_row *row = &grid->rows[i];
		__int128 ns = (__int128)period;

		row->low = (int64_t)(row->low * ns / end);
		row->high = (int64_t)((row->high + 1) * ns / end) - 1;
	}
}

/* Other aggregations have a grid, too, which stays empty and is not shown. */
static struct grid *grid_of(struct heat_sink *heat,
			    const struct schema_aggregation *aggregation)
{
	struct grid *grid = heat_grid(heat, aggregation);

	if (grid)
		return grid;
	grid = new_grid(heat, aggregation, aggregation->keys + 1,
			aggregation->nkeys - 1);
	heat_name_grid(grid, aggregation, "offset");
	heat_set_rows(grid, aggregation);
	if (is_offset(grid))
		scale_rows(grid, heat->step);
	else
		grid->nrows = 0;
	return grid;
}

/* The first key numbers the column. */
static bool has_columns(const struct schema_aggregation *aggregation)
{
	return aggregation->aggregate->range && aggregation->nkeys &&
	       aggregation->keys[0].kind == FACT_INTEGER;
}

/* A program that counts another clock's seconds would make the map endless. */
static bool is_within(const struct heat_sink *heat, int64_t column)
{
	int64_t step = (int64_t)heat->step;

	return column >= heat->started / step - 1 &&
	       column <= heat->ended / step + 1;
}

static bool offsetmap_snapshot(struct sink *sink,
			       const struct fact_snapshot *snapshot)
{
	struct heat_sink *heat = (struct heat_sink *)sink;
	const struct fact_table *table = snapshot->table;

	heat->ended = heat_time(snapshot->to);
	if (!has_columns(table->aggregations[0]))
		return true;
	struct grid *grid = grid_of(heat, table->aggregations[0]);

	for (uint32_t i = 0; grid->nrows && i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		int64_t column = fact_integer(&row.keys[0]);
		bool is_good = is_within(heat, column);
		struct grid_cell cell = { 0 };

		if (is_good)
			cell = heat_cell(heat, grid, row.keys + 1,
					 row.nkeys - 1);
		cell.column = column;
		for (cell.row = 0; cell.row < grid->nrows; cell.row++) {
			cell.count = row.values[0][cell.row];
			if (cell.count && is_good)
				grid_add(grid, &cell);
			else
				heat->misplaced += (uint64_t)cell.count;
		}
	}
	return true;
}

/* --------------------------------------------------------------- records */

static struct grid *grid_of_records(struct heat_sink *heat,
				    const struct schema_action *action)
{
	struct grid *grid = heat_grid(heat, NULL);
	const struct period *period = period_of(heat->options);

	if (grid)
		return grid;
	grid = new_grid(heat, NULL, action->fields, action->nfields);
	grid->name = "events: offset";
	grid->nrows = period->rows;
	grid->rows = grid_alloc(grid, grid->nrows * sizeof(*grid->rows));
	int64_t height = (int64_t)(period->ns / period->rows);

	for (uint32_t i = 0; i < grid->nrows; i++)
		grid->rows[i] = (struct grid_row){
			.low = i * height,
			.high = (i + 1) * height - 1,
		};
	return grid;
}

/* The first action of a firing that shows something is the event. */
static bool offsetmap_action(struct sink *sink,
			     const struct fact_record *record,
			     const struct fact_action *action)
{
	struct heat_sink *heat = (struct heat_sink *)sink;
	static const struct schema_action nothing;
	const struct schema_action *schema = action ? action->action : &nothing;

	if (heat->is_counted || (action && schema->rule <= RULE_SILENT))
		return true;
	heat->is_counted = true;
	struct grid *grid = grid_of_records(heat, schema);
	int64_t when = heat_time(record->stamp + heat->wall);
	int64_t step = (int64_t)heat->step;

	heat->ended = when > heat->ended ? when : heat->ended;
	if (when < heat->started ||
	    heat_words(schema->fields, schema->nfields) < grid->nkey_names) {
		heat->misplaced++;
		return true;
	}
	struct grid_cell cell = heat_cell(heat, grid,
					  action ? action->values : NULL,
					  schema->nfields);

	cell.column = when / step;
	cell.row = (uint32_t)(when % step / (step / grid->nrows));
	cell.count = 1;
	grid_add(grid, &cell);
	return true;
}

/* A clause without actions prints its probe. */
static bool offsetmap_record(struct sink *sink,
			     const struct fact_record *record)
{
	struct heat_sink *heat = (struct heat_sink *)sink;

	/* the rest of a clause in pieces comes in a record of its own */
	heat->is_counted = record->clause->skipped != 0;
	return !record->clause->is_empty_clause ||
	       offsetmap_action(sink, record, NULL);
}

static const struct sink_class offsetmap_class;

static struct sink *offsetmap_open(const struct sink_setup *setup)
{
	return heat_open(&offsetmap_class, setup,
			 period_of(setup->options)->ns);
}

static const struct sink_class offsetmap_class = {
	.name = "offsetmap",
	.open = offsetmap_open,
	.close = heat_close,
	.start = heat_start,
	.record = offsetmap_record,
	.action = offsetmap_action,
	.snapshot = offsetmap_snapshot,
	.drop = heat_drop,
	.fault = heat_fault,
	.end = heat_end,
};

const struct picture picture_offsetmap = {
	.class = &offsetmap_class,
	.suffixes = "svg html",
	.takes_snapshots = true,
	.draw = heat_draw,
};
