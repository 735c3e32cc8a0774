/* SPDX-License-Identifier: Apache-2.0 */
#include "view/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/text.h"

struct grid_state {
	struct arena *arena;
	struct table numbers; /* of keys, by their words */
	struct text word;
	uint32_t capacity; /* of cells */
	bool has_span;
	int64_t first, last;
};

const char *grid_scale_name(enum grid_scale scale)
{
	static const char *const names[] = {
		[GRID_LOG] = "log",
		[GRID_LINEAR] = "linear",
		[GRID_OFFSET] = "offset",
	};

	return names[scale];
}

struct grid *grid_new(void)
{
	struct grid *grid = must_alloc(sizeof(*grid));

	grid->state = must_alloc(sizeof(*grid->state));
	grid->state->arena = arena_new();
	return grid;
}

void grid_free(struct grid *grid)
{
	if (!grid)
		return;
	table_free(&grid->state->numbers);
	text_free(&grid->state->word);
	arena_free(grid->state->arena);
	free(grid->state);
	free(grid->cells);
	free(grid);
}

void *grid_alloc(struct grid *grid, size_t size)
{
	return arena_alloc(grid->state->arena, size);
}

char *grid_strdup(struct grid *grid, const char *text)
{
	return arena_strdup(grid->state->arena, text);
}

/* The words with their lengths, so that no two keys look alike. */
static struct str joined(struct grid *grid, const struct str *words)
{
	struct text *text = &grid->state->word;

	text_clear(text);
	for (uint32_t i = 0; i < grid->nkey_names; i++) {
		text_put_number(text, words[i].n);
		text_putc(text, ':');
		text_add(text, words[i].p, words[i].n);
	}
	return (struct str){ text_str(text), text->n };
}

uint32_t grid_key(struct grid *grid, const struct str *words)
{
	struct grid_state *state = grid->state;
	struct str name = joined(grid, words);
	uintptr_t known = (uintptr_t)table_get(&state->numbers, name);

	if (known)
		return (uint32_t)(known - 1);
	name.p = arena_strndup(state->arena, name.p, name.n);
	table_put(&state->numbers, name, (void *)((uintptr_t)grid->nkeys + 1));
	struct str *copy = grid_alloc(grid, checked_mul(grid->nkey_names + 1,
							sizeof(*copy)));

	for (uint32_t i = 0; i < grid->nkey_names; i++)
		copy[i] = (struct str){ arena_strndup(state->arena, words[i].p,
						      words[i].n),
					words[i].n };
	grid->keys = arena_grown(state->arena, grid->keys, grid->nkeys,
				 sizeof(*grid->keys));
	grid->keys[grid->nkeys] = copy;
	return grid->nkeys++;
}

static int compare_cells(const void *left, const void *right)
{
	const struct grid_cell *a = left, *b = right;

	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->stack < b->stack ? -1 : a->stack > b->stack;
}

/* Cells in order, each once. */
static void merge(struct grid *grid)
{
	uint32_t kept = 0;

	if (grid->ncells)
		qsort(grid->cells, grid->ncells, sizeof(*grid->cells),
		      compare_cells);
	for (uint32_t i = 0; i < grid->ncells; i++) {
		if (kept &&
		    !compare_cells(&grid->cells[kept - 1], &grid->cells[i]))
			grid->cells[kept - 1].count =
				grid_sum(grid->cells[kept - 1].count,
					 grid->cells[i].count);
		else
			grid->cells[kept++] = grid->cells[i];
	}
	grid->ncells = kept;
}

/* An event each may be added, so equal cells are merged before more are kept. */
static void make_room(struct grid *grid)
{
	struct grid_state *state = grid->state;

	merge(grid);
	if (grid->ncells < state->capacity / 2)
		return;
	state->capacity = state->capacity ? state->capacity * 2 : 256;
	grid->cells = must_realloc(grid->cells,
				   checked_mul(state->capacity,
					       sizeof(*grid->cells)));
}

void grid_add(struct grid *grid, const struct grid_cell *cell)
{
	if (grid->ncells == grid->state->capacity)
		make_room(grid);
	grid->cells[grid->ncells++] = *cell;
}

void grid_span(struct grid *grid, int64_t first, int64_t last)
{
	struct grid_state *state = grid->state;

	state->first = first;
	state->last = last;
	state->has_span = true;
}

enum grid_scale grid_scale_of_rows(const struct grid *grid)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < grid->nrows; i++) {
		const struct grid_row *row = &grid->rows[i];
		uint64_t its = (uint64_t)row->high - (uint64_t)row->low;

		if (row->is_open_below || row->is_open_above)
			continue;
		if (size && its + 1 != size)
			return GRID_LOG;
		size = its + 1;
	}
	return GRID_LINEAR;
}

bool grid_is_like(const struct grid *grid, const struct grid *other)
{
	if (grid->step != other->step || grid->scale != other->scale ||
	    grid->nrows != other->nrows ||
	    grid->nkey_names != other->nkey_names)
		return false;
	for (uint32_t i = 0; i < grid->nrows; i++)
		if (grid->rows[i].low != other->rows[i].low ||
		    grid->rows[i].high != other->rows[i].high)
			return false;
	for (uint32_t i = 0; i < grid->nkey_names; i++)
		if (strcmp(grid->key_names[i], other->key_names[i]))
			return false;
	return true;
}

/* Which rows to show: those in use, with a linear scale from its base. */
static void choose_rows(struct grid *grid)
{
	bool is_linear = grid->scale == GRID_LINEAR ||
			 grid->scale == GRID_OFFSET;
	uint32_t low = grid->nrows, high = 0;

	for (uint32_t i = 0; i < grid->ncells; i++) {
		uint32_t row = grid->cells[i].row;

		low = row < low ? row : low;
		high = row > high ? row : high;
	}
	if (is_linear && low > 0)
		low = grid->rows[0].is_open_below ? 1 : 0;
	if (grid->scale == GRID_OFFSET && high + 1 < grid->nrows)
		high = grid->nrows -
		       (grid->rows[grid->nrows - 1].is_open_above ? 2 : 1);
	grid->first_row = low < grid->nrows ? low : 0;
	grid->last_row = high > grid->first_row ? high : grid->first_row;
}

void grid_finish(struct grid *grid)
{
	const struct grid_state *state = grid->state;

	merge(grid);
	choose_rows(grid);
	grid->first_column = state->has_span ? state->first : 0;
	grid->last_column = state->has_span ? state->last : 0;
	if (!grid->ncells)
		return;
	int64_t first = grid->cells[0].column;
	int64_t last = grid->cells[grid->ncells - 1].column;

	if (!state->has_span || first < grid->first_column)
		grid->first_column = first;
	if (!state->has_span || last > grid->last_column)
		grid->last_column = last;
}
