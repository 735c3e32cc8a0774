/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A grid: how often values were in a range during a time.  A heat map shows it.
 *
 * A column is a stretch of time of `step` ns, a row a range of values; what was
 * counted there belongs to a key (execname, pid ...).  The same cell may be
 * added to any number of times.  grid_finish() merges and sorts the cells, and
 * only then may they be read.
 *
 * 1. Columns are numbered by the wall clock: column n begins n * step ns after
 *    1970.  So grids of several runs or hosts fit together.
 * 2. Rows are those of the aggregating function, from the lowest values to the
 *    highest; the outermost may be unbounded.  Their bounds are never rounded.
 * 3. Keys are bytes that traced programs chose: who shows them escapes them.
 * 4. A stack is not a word of a key.  It is a node of one profile that all grids
 *    of a picture share, so that each stack is kept once.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "view/profile.h"

/* The values of a row, inclusive. */
struct grid_row {
	int64_t low, high;
	bool is_open_below, is_open_above;
};

/* How rows grow, which is what the picture calls its scale. */
enum grid_scale { GRID_LOG, GRID_LINEAR, GRID_OFFSET };
const char *grid_scale_name(enum grid_scale scale);

struct grid_cell {
	int64_t column; /* absolute */
	uint32_t row, key;
	uint32_t stack; /* its node in the picture's profile; 0: none */
	int64_t count;
};

struct grid {
	/* set by the maker; the texts are borrowed */
	const char *name;
	const char *value_unit, *count_unit; /* or NULL */
	enum grid_scale scale;
	uint64_t step; /* ns */
	const char *const *key_names;
	uint32_t nkey_names;
	struct grid_row *rows;
	uint32_t nrows;
	/* filled by grid_key(): nkey_names words for each */
	struct str **keys;
	uint32_t nkeys;
	/* its keys had a stack, too, which is no word: cells have stacks */
	bool has_stacks;
	/* sorted by column, row, key and stack after grid_finish() */
	struct grid_cell *cells;
	uint32_t ncells;
	/* the columns and rows to show, inclusive; set by grid_finish() */
	int64_t first_column, last_column;
	uint32_t first_row, last_row;
	struct grid_state *state; /* grid.c */
};

struct grid *grid_new(void);
void grid_free(struct grid *grid);
/* Memory that is freed with the grid, zeroed. */
void *grid_alloc(struct grid *grid, size_t size);
char *grid_strdup(struct grid *grid, const char *text);

/* The number of a key, whose words are copied. */
uint32_t grid_key(struct grid *grid, const struct str *words);
void grid_add(struct grid *grid, const struct grid_cell *cell);
/* These columns are shown even if they are empty: the time that was traced. */
void grid_span(struct grid *grid, int64_t first, int64_t last);
void grid_finish(struct grid *grid);
/* GRID_LINEAR if all bounded rows are of the same size, or GRID_LOG. */
enum grid_scale grid_scale_of_rows(const struct grid *grid);
/* The same columns, rows and words of keys: a cell of one is one of the other. */
bool grid_is_like(const struct grid *grid, const struct grid *other);

static inline uint64_t grid_columns(const struct grid *grid)
{
	return (uint64_t)(grid->last_column - grid->first_column) + 1;
}

/* Sums of counts; what a damaged recording holds may overflow. */
static inline int64_t grid_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* What a file shows: one grid or several, and what to know about them. */
struct heat {
	const char *title, *subtitle;
	const char *zone;     /* name of the time zone */
	int32_t zone_seconds; /* east of Greenwich */
	struct grid *const *grids;
	uint32_t ngrids;
	/* the stacks of cells, settled; their weights are the cells' */
	const struct profile *stacks;
	const char *const *notes;
	uint32_t nnotes;
};
