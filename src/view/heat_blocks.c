/* SPDX-License-Identifier: Apache-2.0 */
#include "view/heat_blocks.h"

#include <stdlib.h>

#include "base/arena.h"

static int by_place(const void *left, const void *right)
{
	const struct grid_cell *a = left, *b = right;

	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* Of the same key, in one: what differs is the stack. */
static uint32_t merge_stacks(struct grid_cell *cells, uint32_t n)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (kept && !by_place(&cells[kept - 1], &cells[i]))
			cells[kept - 1].count = grid_sum(cells[kept - 1].count,
							 cells[i].count);
		else
			cells[kept++] = cells[i];
	}
	return kept;
}

/* Copies of the cells, numbered from the first one shown; how many there are. */
static uint32_t copy_cells(struct heat_blocks *blocks, const struct grid *grid)
{
	uint32_t n = grid->ncells;

	blocks->cells = must_alloc(checked_mul((size_t)n + 1,
					       sizeof(*blocks->cells)));
	for (uint32_t i = 0; i < n; i++) {
		blocks->cells[i] = grid->cells[i];
		blocks->cells[i].column = (grid->cells[i].column -
					   grid->first_column) /
					  (int64_t)blocks->width;
		blocks->cells[i].row -= grid->first_row;
	}
	if (blocks->width > 1)
		qsort(blocks->cells, n, sizeof(*blocks->cells), by_place);
	return merge_stacks(blocks->cells, n);
}

static void make_blocks(struct heat_blocks *blocks, uint32_t n)
{
	struct heat_block *block = NULL;

	blocks->blocks = must_alloc(checked_mul((size_t)n + 1,
						sizeof(*blocks->blocks)));
	for (uint32_t i = 0; i < n; i++) {
		const struct grid_cell *cell = &blocks->cells[i];

		if (!block || block->column != (uint32_t)cell->column ||
		    block->row != cell->row) {
			block = &blocks->blocks[blocks->nblocks++];
			block->column = (uint32_t)cell->column;
			block->row = cell->row;
			block->cells = cell;
		}
		block->count = grid_sum(block->count, cell->count);
		block->ncells++;
	}
}

static void set_shares(struct heat_blocks *blocks)
{
	uint32_t i = 0;

	while (i < blocks->nblocks) {
		uint32_t end = i;
		double total = 0, sum = 0;

		for (; end < blocks->nblocks &&
		       blocks->blocks[end].column == blocks->blocks[i].column;
		     end++)
			total += (double)blocks->blocks[end].count;
		for (; i < end; i++) {
			struct heat_block *block = &blocks->blocks[i];

			sum += (double)block->count;
			block->share = total > 0 ? (double)block->count / total
						 : 0;
			block->below = total > 0 ? sum / total : 0;
		}
	}
}

static int by_count(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

static uint32_t smaller(const int64_t *counts, uint32_t n, int64_t count)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (counts[middle] < count)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * The rank of a cell is how many are smaller, so that each colour is used about
 * as often, and equal counts look alike.
 */
static void set_levels(struct heat_blocks *blocks)
{
	uint32_t n = blocks->nblocks;
	int64_t *counts = must_alloc(((size_t)n + 1) * sizeof(*counts));

	for (uint32_t i = 0; i < n; i++)
		counts[i] = blocks->blocks[i].count;
	qsort(counts, n, sizeof(*counts), by_count);
	uint64_t most = n ? smaller(counts, n, counts[n - 1]) : 0;

	for (uint32_t i = 0; i < n; i++) {
		struct heat_block *block = &blocks->blocks[i];
		uint64_t rank = smaller(counts, n, block->count);

		block->level = most ? (unsigned)(rank * (HEAT_LEVELS - 1) /
						 most)
				    : HEAT_LEVELS - 1;
	}
	free(counts);
}

void heat_blocks_make(struct heat_blocks *blocks, const struct grid *grid,
		      uint32_t most_columns)
{
	uint64_t columns = grid_columns(grid);

	*blocks = (struct heat_blocks){ 0 };
	blocks->width = (columns - 1) / most_columns + 1;
	blocks->columns = (uint32_t)((columns - 1) / blocks->width) + 1;
	blocks->rows = grid->last_row - grid->first_row + 1;
	make_blocks(blocks, copy_cells(blocks, grid));
	set_shares(blocks);
	set_levels(blocks);
}

void heat_blocks_free(struct heat_blocks *blocks)
{
	free(blocks->blocks);
	free(blocks->cells);
}
