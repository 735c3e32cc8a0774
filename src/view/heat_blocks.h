/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What a picture of a grid shows: cells of all keys together, with their shares
 * and ranks.  Neighbouring columns become one if there are more than fit.
 */

#include "view/grid.h"

enum { HEAT_LEVELS = 16 };

struct heat_block {
	uint32_t column, row; /* from 0 on, of what is shown */
	int64_t count;
	unsigned level;	     /* by rank among all, below HEAT_LEVELS */
	double share, below; /* of its column; with all rows below it */
	/* the parts, by key */
	const struct grid_cell *cells;
	uint32_t ncells;
};

struct heat_blocks {
	uint64_t width; /* columns of the grid in one column here */
	uint32_t columns, rows;
	struct heat_block *blocks; /* by column, then row */
	uint32_t nblocks;
	struct grid_cell *cells;
};

void heat_blocks_make(struct heat_blocks *blocks, const struct grid *grid,
		      uint32_t most_columns);
void heat_blocks_free(struct heat_blocks *blocks);
