/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A heat map as SVG, complete without scripts.  Browsers show the title of a
 * cell when the mouse is over it; readers for the blind read it.  Colours are
 * classes, so that a dark desktop and a printer get their own.
 */
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/visible.h"
#include "view/heat_blocks.h"
#include "view/quantity_text.h"
#include "view/write_heat.h"

enum {
	LEFT = 96, RIGHT = 24, HEAD = 64, MAP_HEAD = 40, MAP_FOOT = 56,
	LINE = 16, MOST_COLUMNS = 480, MOST_KEYS = 20, CELL_KEYS = 8,
};

struct map {
	FILE *out;
	const struct heat *heat;
	const struct grid *grid;
	struct heat_blocks blocks;
	double x, y, cell_width, cell_height; /* of the cells */
	struct text text;		      /* scratch */
};

/* ------------------------------------------------------------------ text */

static void write_escaped(FILE *out, const char *bytes, size_t n)
{
	struct text shown = { 0 };

	text_add_visible(&shown, bytes, n, VISIBLE_LINE);
	for (const char *at = text_str(&shown); *at; at++) {
		if (strchr("<>&\"'", *at))
			fprintf(out, "&#%d;", *at);
		else
			fputc(*at, out);
	}
	text_free(&shown);
}

static void write_text(FILE *out, double x, double y, const char *class,
		       const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
	write_escaped(out, text, strlen(text));
	fputs("</text>\n", out);
}

static void write_key(const struct map *map, uint32_t key)
{
	for (uint32_t i = 0; i < map->grid->nkey_names; i++) {
		if (i)
			fputs(", ", map->out);
		write_escaped(map->out, map->grid->keys[key][i].p,
			      map->grid->keys[key][i].n);
	}
}

/* The time at which a column begins, in the zone of the traced host. */
static void put_time(struct map *map, uint32_t column)
{
	int64_t number = map->grid->first_column +
			 (int64_t)(column * map->blocks.width);
	uint64_t ns = (uint64_t)number * map->grid->step;
	time_t second = (time_t)(ns / 1000000000) + map->heat->zone_seconds;
	struct tm when = { 0 };
	char clock[32];

	gmtime_r(&second, &when);
	strftime(clock, sizeof(clock),
		 map->grid->step >= 3600000000000ull ? "%m-%d %H:%M"
						     : "%H:%M:%S",
		 &when);
	text_puts(&map->text, clock);
	if (map->grid->step % 1000000000)
		text_printf(&map->text, ".%03u",
			    (unsigned)(ns % 1000000000 / 1000000));
}

static const struct grid_row *row_of(const struct map *map, uint32_t row)
{
	return &map->grid->rows[map->grid->first_row + row];
}

/* Exact bounds, and both of them. */
static void put_range(struct map *map, uint32_t number)
{
	const struct grid_row *row = row_of(map, number);
	const char *unit = map->grid->value_unit;
	struct text *text = &map->text;

	if (row->is_open_below)
		text_printf(text, "up to %lld", (long long)row->high);
	else if (row->is_open_above)
		text_printf(text, "%lld and more", (long long)row->low);
	else if (row->low == row->high)
		text_printf(text, "%lld", (long long)row->low);
	else
		text_printf(text, "%lld to %lld", (long long)row->low,
			    (long long)row->high);
	if (unit && *unit)
		text_printf(text, " %s", unit);
}

/* ----------------------------------------------------------------- cells */

static int by_falling_count(const void *left, const void *right)
{
	const struct grid_cell *a = left, *b = right;

	return a->count > b->count ? -1 : a->count < b->count;
}

/* The keys of a block, the largest first, a line each. */
static void write_block_keys(const struct map *map,
			     const struct heat_block *block)
{
	struct grid_cell *sums = must_alloc((size_t)block->ncells *
					    sizeof(*sums));
	uint32_t n = 0;

	/* merged columns: cells of a key follow each other */
	for (uint32_t i = 0; i < block->ncells; i++) {
		if (n && sums[n - 1].key == block->cells[i].key)
			sums[n - 1].count = grid_sum(sums[n - 1].count,
						     block->cells[i].count);
		else
			sums[n++] = block->cells[i];
	}
	qsort(sums, n, sizeof(*sums), by_falling_count);
	for (uint32_t i = 0; i < n && i < CELL_KEYS; i++) {
		fputc('\n', map->out);
		write_key(map, sums[i].key);
		fprintf(map->out, ": %lld", (long long)sums[i].count);
	}
	if (n > CELL_KEYS)
		fprintf(map->out, "\nand %u more", n - CELL_KEYS);
	free(sums);
}

static void write_block(struct map *map, const struct heat_block *block)
{
	struct text *text = &map->text;
	const char *unit = map->grid->count_unit;

	text_clear(text);
	put_time(map, block->column);
	text_puts(text, "\n");
	put_range(map, block->row);
	fprintf(map->out,
		"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" class=\"c%u\"><title>",
		map->x + block->column * map->cell_width,
		map->y + (map->blocks.rows - 1 - block->row) * map->cell_height,
		map->cell_width, map->cell_height, block->level);
	fputs(text_str(text), map->out);
	fprintf(map->out,
		"\n%lld %s\n%.1f %% of the column, %.1f %% up to here",
		(long long)block->count, unit ? unit : "events",
		100 * block->share, 100 * block->below);
	if (map->grid->nkey_names)
		write_block_keys(map, block);
	fputs("</title></rect>\n", map->out);
}

/* ----------------------------------------------------------------- lines */

/* The row in which so much of the column is reached. */
static uint32_t percentile_row(const struct heat_block *column,
			       const struct heat_block *end, double share)
{
	const struct heat_block *at = column;

	while (at + 1 < end && at[1].column == column->column &&
	       at->below < share)
		at++;
	return at->row;
}

/* Percentiles of times of day say nothing. */
static bool has_lines(const struct map *map)
{
	return map->grid->scale != GRID_OFFSET;
}

static void write_line(const struct map *map, double share, const char *class)
{
	const struct heat_blocks *blocks = &map->blocks;
	const struct heat_block *end = blocks->blocks + blocks->nblocks;
	uint32_t before = UINT32_MAX - 1;

	fprintf(map->out, "<path class=\"line %s\" d=\"", class);
	for (const struct heat_block *at = blocks->blocks; at < end;) {
		uint32_t column = at->column;
		uint32_t row = percentile_row(at, end, share);
		double x = map->x + column * map->cell_width;

		fprintf(map->out, "%c%.2f %.2fh%.2f",
			column == before + 1 ? 'L' : 'M', x,
			map->y + (blocks->rows - 0.5 - row) * map->cell_height,
			map->cell_width);
		before = column;
		while (at < end && at->column == column)
			at++;
	}
	fputs("\"/>\n", map->out);
}

/* ------------------------------------------------------------------ axes */

static void write_rows(struct map *map)
{
	struct text *text = &map->text;
	uint32_t rows = map->blocks.rows;
	uint32_t every = (uint32_t)(14 / map->cell_height) + 1;

	for (uint32_t i = 0; i < rows; i++) {
		const struct grid_row *row = row_of(map, i);
		double y = map->y + (rows - i) * map->cell_height;

		if (i % every && i + 1 < rows)
			continue;
		text_clear(text);
		if (row->is_open_below) {
			text_puts(text, "≤ ");
			quantity_put(text, row->high, map->grid->value_unit);
		} else {
			if (row->is_open_above)
				text_puts(text, "≥ ");
			quantity_put(text, row->low, map->grid->value_unit);
		}
		write_text(map->out, map->x - 8, y - 1, "axis left",
			   text_str(text));
		fprintf(map->out, "<path class=\"tick\" d=\"M%.1f %.1fh4\"/>\n",
			map->x - 5, y);
	}
}

static void write_columns(struct map *map)
{
	uint32_t columns = map->blocks.columns;
	uint32_t every = (uint32_t)(90 / map->cell_width) + 1;
	double y = map->y + map->blocks.rows * map->cell_height;

	for (uint32_t i = 0; i < columns; i += every) {
		double x = map->x + i * map->cell_width;

		text_clear(&map->text);
		put_time(map, i);
		fprintf(map->out, "<path class=\"tick\" d=\"M%.1f %.1fv5\"/>\n",
			x, y);
		write_text(map->out, x, y + 18, "axis", text_str(&map->text));
	}
}

static void write_legend(struct map *map, double y)
{
	int64_t least = INT64_MAX, most = INT64_MIN;
	double x = map->x;

	for (uint32_t i = 0; i < map->blocks.nblocks; i++) {
		int64_t count = map->blocks.blocks[i].count;

		least = count < least ? count : least;
		most = count > most ? count : most;
	}
	if (!map->blocks.nblocks)
		return;
	for (unsigned i = 0; i < HEAT_LEVELS; i++)
		fprintf(map->out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"8\" height=\"10\" class=\"c%u\"/>\n",
			x + 8 * i, y - 9, i);
	text_clear(&map->text);
	text_printf(&map->text, "%lld to %lld %s, coloured by rank",
		    (long long)least, (long long)most,
		    map->grid->count_unit ? map->grid->count_unit : "events");
	write_text(map->out, x + 8 * HEAT_LEVELS + 8, y, "axis",
		   text_str(&map->text));
	if (!has_lines(map))
		return;
	fprintf(map->out,
		"<text x=\"%.1f\" y=\"%.1f\" class=\"axis\">lines: median, 90 %%, 99 %%</text>\n",
		x + 360, y);
}

/* ------------------------------------------------------------------ keys */

static uint32_t shown_keys(const struct grid *grid)
{
	if (!grid->nkey_names)
		return 0;
	return grid->nkeys < MOST_KEYS ? grid->nkeys : MOST_KEYS;
}

static void write_keys(struct map *map, double y)
{
	const struct grid *grid = map->grid;
	struct grid_cell *sums;

	if (!shown_keys(grid))
		return;
	sums = must_alloc((size_t)grid->nkeys * sizeof(*sums));
	for (uint32_t i = 0; i < grid->nkeys; i++)
		sums[i].key = i;
	for (uint32_t i = 0; i < grid->ncells; i++)
		sums[grid->cells[i].key].count =
			grid_sum(sums[grid->cells[i].key].count,
				 grid->cells[i].count);
	qsort(sums, grid->nkeys, sizeof(*sums), by_falling_count);
	for (uint32_t i = 0; i < shown_keys(grid); i++, y += LINE) {
		fprintf(map->out,
			"<text x=\"%.1f\" y=\"%.1f\" class=\"axis left\">%lld</text>\n<text x=\"%.1f\" y=\"%.1f\" class=\"axis\">",
			map->x + 60, y, (long long)sums[i].count, map->x + 72,
			y);
		write_key(map, sums[i].key);
		fputs("</text>\n", map->out);
	}
	if (grid->nkeys > MOST_KEYS)
		fprintf(map->out,
			"<text x=\"%.1f\" y=\"%.1f\" class=\"axis\">and %u more</text>\n",
			map->x + 72, y, grid->nkeys - MOST_KEYS);
	free(sums);
}

/* --------------------------------------------------------------- the file */

static double clamp(double value, double least, double most)
{
	return value < least ? least : value > most ? most : value;
}

static double height_of(const struct map *map)
{
	uint32_t nkeys = shown_keys(map->grid);

	return MAP_HEAD + map->blocks.rows * map->cell_height + MAP_FOOT +
	       (nkeys ? (nkeys + 2) * LINE : 0);
}

static void write_map(struct map *map)
{
	const struct heat_blocks *blocks = &map->blocks;
	double width = blocks->columns * map->cell_width;
	double height = blocks->rows * map->cell_height;
	double foot = map->y + height + 42;

	write_text(map->out, map->x, map->y - 10, "name", map->grid->name);
	fprintf(map->out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"paper\"/>\n",
		map->x, map->y, width, height);
	for (uint32_t i = 0; i < blocks->nblocks; i++)
		write_block(map, &blocks->blocks[i]);
	if (has_lines(map)) {
		write_line(map, 0.5, "p50");
		write_line(map, 0.9, "p90");
		write_line(map, 0.99, "p99");
	}
	write_rows(map);
	write_columns(map);
	write_legend(map, foot);
	write_keys(map, foot + 1.5 * LINE);
}

/* Low to high; both ends can be told apart by all who see colours badly. */
static const uint8_t palette[][3] = {
	{ 0xfd, 0xe7, 0x25 }, { 0x5e, 0xc9, 0x62 }, { 0x21, 0x91, 0x8c },
	{ 0x3b, 0x52, 0x8b }, { 0x44, 0x01, 0x54 },
};

static void write_colour(FILE *out, unsigned level, bool is_dark)
{
	double at = (double)(is_dark ? HEAT_LEVELS - 1 - level : level) /
		    (HEAT_LEVELS - 1) * 4;
	unsigned stop = at < 3 ? (unsigned)at : 3;
	unsigned part[3];

	for (unsigned i = 0; i < 3; i++)
		part[i] = (unsigned)(palette[stop][i] +
				     (palette[stop + 1][i] - palette[stop][i]) *
					     (at - stop));
	fprintf(out, ".c%u{fill:#%02x%02x%02x}", level, part[0], part[1],
		part[2]);
}

static void write_style(FILE *out)
{
	fputs("<style>text{font:12px sans-serif;fill:#222}.head{font-size:18px}"
	      ".name{font-size:14px}.left{text-anchor:end}"
	      "rect.page{fill:#fff}rect.paper{fill:#f4f4f4}"
	      ".tick{stroke:#777}.line{fill:none;stroke:#d00;stroke-width:1.5}"
	      ".p90{stroke-dasharray:6 3}.p99{stroke-dasharray:2 2}"
	      "rect:hover{stroke:#d00}rect.page:hover{stroke:none}",
	      out);
	for (unsigned i = 0; i < HEAT_LEVELS; i++)
		write_colour(out, i, false);
	fputs("@media screen and (prefers-color-scheme:dark){text{fill:#ddd}"
	      "rect.page{fill:#181818}rect.paper{fill:#0c0c0c}"
	      ".line{stroke:#ff7b72}",
	      out);
	for (unsigned i = 0; i < HEAT_LEVELS; i++)
		write_colour(out, i, true);
	fputs("}</style>\n", out);
}

static void set_size(struct map *map)
{
	heat_blocks_make(&map->blocks, map->grid, MOST_COLUMNS);
	map->cell_width = clamp(960.0 / map->blocks.columns, 2, 24);
	map->cell_height = clamp(420.0 / map->blocks.rows, 3, 18);
}

bool write_heat_svg(FILE *out, const struct heat *heat)
{
	struct map *maps = must_alloc((heat->ngrids + 1) * sizeof(*maps));
	double y = HEAD, width = 640;

	for (uint32_t i = 0; i < heat->ngrids; i++) {
		struct map *map = &maps[i];

		map->out = out;
		map->heat = heat;
		map->grid = heat->grids[i];
		set_size(map);
		map->x = LEFT;
		map->y = y + MAP_HEAD;
		width = clamp(LEFT + RIGHT +
				      map->blocks.columns * map->cell_width,
			      width, INT32_MAX);
		y += height_of(map);
	}
	y += (heat->nnotes + 1) * LINE;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\">\n<title>",
		width, y, width, y);
	write_escaped(out, heat->title, strlen(heat->title));
	fputs("</title>\n", out);
	write_style(out);
	fputs("<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n", out);
	write_text(out, LEFT, 28, "head", heat->title);
	write_text(out, LEFT, 48, "axis", heat->subtitle);
	for (uint32_t i = 0; i < heat->ngrids; i++) {
		write_map(&maps[i]);
		heat_blocks_free(&maps[i].blocks);
		text_free(&maps[i].text);
	}
	for (uint32_t i = 0; i < heat->nnotes; i++)
		write_text(out, LEFT, y - (heat->nnotes - i) * LINE, "axis",
			   heat->notes[i]);
	fputs("</svg>\n", out);
	free(maps);
	return !ferror(out);
}
