/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a heat map, as page/heat/data.ts reads them:
 *
 *	{ "format": 1, "picture": "heatmap", "title": ..., "subtitle": ...,
 *	  "zone": "CET", "zoneSeconds": 3600, "notes": [...],
 *	  "stacks": { "strings": ..., "frames": ..., "nodes": ... }, "maps": [{
 *	    "name": ..., "valueUnit": "ns", "countUnit": "events",
 *	    "scale": "log" | "linear" | "offset",
 *	    "start": ms since 1970 of the first column, "step": ms,
 *	    "columns": n, "firstRow": n, "rows": [[low, high], ...],
 *	    "stacksIn": n,
 *	    "keyNames": [...], "keys": [[...], ...], "cells": base64 }] }
 *
 * Bounds are inclusive, null where a row has none, and texts, because a number
 * of JavaScript has 53 bits.  Cells are varints: columns since the cell before,
 * row, key, count (zigzag: a program may subtract) and, in a map that has
 * stacks, the stack: a node of "stacks", which has the form of a flame graph's
 * (write_flame_html.c), counted from 1.  All maps share them.  "stacksIn" is the
 * number of the map that knows the stacks of this one's cells: itself, or one
 * that another aggregation made with the same buckets and keys.  What is not
 * there is left out.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "facts/wire.h"
#include "view/page.h"
#include "view/write.h"
#include "view/write_heat.h"

struct data {
	const struct heat *heat;
	uint32_t *places; /* of stacks in the walk, by node */
};

/* The largest number that a browser can read. */
static int64_t exact(int64_t count)
{
	static const int64_t most = 1ll << 51;

	return count > most ? most : count < -most ? -most : count;
}

static void write_cells(FILE *out, const struct grid *grid,
			const uint32_t *places)
{
	struct text bytes = { 0 };
	int64_t column = grid->first_column;

	for (uint32_t i = 0; i < grid->ncells; i++) {
		const struct grid_cell *cell = &grid->cells[i];
		int64_t count = exact(cell->count);
		uint64_t sign = count < 0 ? UINT64_MAX : 0;

		wire_put(&bytes, (uint64_t)(cell->column - column));
		wire_put(&bytes, cell->row - grid->first_row);
		wire_put(&bytes, cell->key);
		wire_put(&bytes, (uint64_t)count << 1 ^ sign);
		if (grid->has_stacks)
			wire_put(&bytes, places[cell->stack]);
		column = cell->column;
	}
	page_base64(out, &bytes);
	text_free(&bytes);
}

static void write_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, ",\"%s\":", name);
	page_string(out, text ? text : "", text ? strlen(text) : 0);
}

static void write_bound(FILE *out, int64_t bound, bool is_open)
{
	if (is_open)
		fputs("null", out);
	else
		fprintf(out, "\"%lld\"", (long long)bound);
}

static void write_rows(FILE *out, const struct grid *grid)
{
	fputs(",\"rows\":[", out);
	for (uint32_t i = grid->first_row; i <= grid->last_row; i++) {
		const struct grid_row *row = &grid->rows[i];

		fputs(i > grid->first_row ? ",[" : "[", out);
		write_bound(out, row->low, row->is_open_below);
		fputc(',', out);
		write_bound(out, row->high, row->is_open_above);
		fputc(']', out);
	}
	fputc(']', out);
}

static void write_keys(FILE *out, const struct grid *grid)
{
	fputs(",\"keyNames\":[", out);
	for (uint32_t i = 0; i < grid->nkey_names; i++) {
		if (i)
			fputc(',', out);
		page_string(out, grid->key_names[i],
			    strlen(grid->key_names[i]));
	}
	fputs("],\"keys\":[", out);
	for (uint32_t i = 0; i < grid->nkeys; i++) {
		fputs(i ? ",[" : "[", out);
		for (uint32_t j = 0; j < grid->nkey_names; j++) {
			if (j)
				fputc(',', out);
			page_string(out, grid->keys[i][j].p,
				    grid->keys[i][j].n);
		}
		fputc(']', out);
	}
	fputc(']', out);
}

/* The map with the stacks of a grid's cells: ngrids if there is none. */
static uint32_t stacks_in(const struct heat *heat, const struct grid *grid)
{
	uint32_t i = 0;

	while (i < heat->ngrids &&
	       (grid->has_stacks ? heat->grids[i] != grid
				 : !heat->grids[i]->has_stacks ||
					   !grid_is_like(grid, heat->grids[i])))
		i++;
	return i;
}

static void write_map(FILE *out, const struct data *data,
		      const struct grid *grid)
{
	double ms = (double)grid->step / 1e6;
	uint32_t with_stacks = stacks_in(data->heat, grid);

	fprintf(out,
		"{\"scale\":\"%s\",\"start\":%.17g,\"step\":%.17g,\"columns\":%llu",
		grid_scale_name(grid->scale), (double)grid->first_column * ms,
		ms, (unsigned long long)grid_columns(grid));
	write_text(out, "name", grid->name);
	write_text(out, "valueUnit", grid->value_unit);
	write_text(out, "countUnit", grid->count_unit);
	fprintf(out, ",\"firstRow\":%u", grid->first_row);
	if (with_stacks < data->heat->ngrids)
		fprintf(out, ",\"stacksIn\":%u", with_stacks);
	write_rows(out, grid);
	write_keys(out, grid);
	fputs(",\"cells\":\"", out);
	write_cells(out, grid, data->places);
	fputs("\"}", out);
}

static void write_data(FILE *out, const void *context)
{
	const struct data *data = context;
	const struct heat *heat = data->heat;

	fprintf(out, "{\"format\":1,\"picture\":\"heatmap\",\"zoneSeconds\":%d",
		heat->zone_seconds);
	write_text(out, "title", heat->title);
	write_text(out, "subtitle", heat->subtitle);
	write_text(out, "zone", heat->zone);
	fputs(",\"notes\":[", out);
	for (uint32_t i = 0; i < heat->nnotes; i++) {
		if (i)
			fputc(',', out);
		page_string(out, heat->notes[i], strlen(heat->notes[i]));
	}
	fputs("]", out);
	if (data->places) {
		fputs(",\"stacks\":{\"format\":1", out);
		write_flame_tree(out, heat->stacks);
		fputs("}", out);
	}
	fputs(",\"maps\":[", out);
	for (uint32_t i = 0; i < heat->ngrids; i++) {
		if (i)
			fputc(',', out);
		write_map(out, data, heat->grids[i]);
	}
	fputs("]}", out);
}

/* Each node's number in the order in which they are written; the root's is 0. */
static uint32_t *number_stacks(const struct profile *stacks)
{
	uint32_t *places = must_alloc(checked_mul(stacks->nnodes,
						  sizeof(*places)));
	struct profile_walk walk = { .profile = stacks };
	uint32_t place = 0;

	while (profile_next(&walk))
		places[walk.node] = ++place;
	return places;
}

bool write_heat_html(FILE *out, const struct heat *heat)
{
	struct data data = { .heat = heat };

	for (uint32_t i = 0; i < heat->ngrids && !data.places; i++)
		if (heat->grids[i]->has_stacks)
			data.places = number_stacks(heat->stacks);
	bool is_written = page_write(out, "heat", heat->title, write_data,
				     &data);

	free(data.places);
	return is_written;
}
