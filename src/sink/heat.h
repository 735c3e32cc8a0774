/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * -x heatmap and -x offsetmap: files with heat maps, written when the run ends.
 *
 * Both fill grids (view/grid.h), one for each aggregation, and share this: the
 * file, keys as texts, the time that was traced, and what was lost.
 *
 *	heatmap.c	histograms by interval
 *	offsetmap.c	events by their offset within a second, minute ...
 */

#include "base/arena.h"
#include "facts/sink.h"
#include "sink/frame_list.h"
#include "sink/picture.h"
#include "sink/render.h"
#include "view/grid.h"

enum { HEAT_SECOND = 1000000000 };

struct heat_sink {
	struct sink sink;
	struct renderer renderer;
	const struct options *options;
	uint64_t step;	 /* ns per column */
	uint64_t wall;	 /* wall clock minus monotonic clock, ns */
	int64_t started; /* ns, wall clock */
	int64_t ended;
	char *host;
	struct arena *arena;
	/* grids, and to which aggregation each belongs; NULL: to records */
	struct grid **grids;
	const struct schema_aggregation **sources;
	uint32_t ngrids;
	uint64_t drops[DROP_KINDS], faults;
	/* the stacks of all cells, and those of the row at hand */
	struct profile *stacks;
	struct frame_list frames;
	/* heatmap: snapshots, those that fill more columns than one */
	uint32_t nsnapshots, nlong;
	bool has_tables;
	/* offsetmap: events outside of the run; this record was counted */
	uint64_t misplaced;
	bool is_counted;
};

struct sink *heat_open(const struct sink_class *class,
		       const struct sink_setup *setup, uint64_t step);
/* The grid of an aggregation, or NULL. */
struct grid *heat_grid(const struct heat_sink *heat,
		       const struct schema_aggregation *source);
struct grid *heat_new_grid(struct heat_sink *heat,
			   const struct schema_aggregation *source,
			   const struct schema_field *keys, uint32_t nkeys);
/* "@latency: quantize" */
void heat_name_grid(struct grid *grid, const struct schema_aggregation *source,
		    const char *what);
/* The rows of a histogram. */
void heat_set_rows(struct grid *grid, const struct schema_aggregation *source);
/* A cell without a place and a count: the key, and the stack. */
struct grid_cell heat_cell(struct heat_sink *heat, struct grid *grid,
			   const struct fact_value *keys, uint32_t nkeys);
/* Keys that are words of a grid's keys: no stacks. */
uint32_t heat_words(const struct schema_field *keys, uint32_t nkeys);

/* A time of the wall clock; what a damaged recording claims is bounded. */
static inline int64_t heat_time(uint64_t ns)
{
	return ns < INT64_MAX / 4 ? (int64_t)ns : INT64_MAX / 4;
}

bool heat_start(struct sink *sink, const struct fact_start *start);
bool heat_drop(struct sink *sink, const struct fact_drop *drop);
bool heat_fault(struct sink *sink, const struct fact_fault *fault);
void heat_end(struct sink *sink, const struct fact_end *end);
void heat_close(struct sink *sink);
bool heat_draw(struct sink *sink, struct draft *draft);
