/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/grid.h"
#include "view/heat_blocks.h"
#include "view/quantity_text.h"
#include "view/write_heat.h"

static const char *const names[] = { "execname", "cpu" };

/* Powers of two, unbounded above. */
static struct grid *make(uint32_t nrows)
{
	struct grid *grid = grid_new();

	grid->name = "@";
	grid->step = 1000000000;
	grid->key_names = names;
	grid->nkey_names = 2;
	grid->nrows = nrows;
	grid->rows = grid_alloc(grid, nrows * sizeof(*grid->rows));
	for (uint32_t i = 0; i < nrows; i++)
		grid->rows[i] = (struct grid_row){
			.low = 1ll << i,
			.high = (1ll << (i + 1)) - 1,
			.is_open_above = i + 1 == nrows,
		};
	return grid;
}

static uint32_t key(struct grid *grid, const char *first, const char *second)
{
	struct str words[] = { str_of(first), str_of(second) };

	return grid_key(grid, words);
}

static void add(struct grid *grid, int64_t column, uint32_t row, uint32_t of,
		int64_t count)
{
	grid_add(grid, &(struct grid_cell){
			       .column = column,
			       .row = row,
			       .key = of,
			       .count = count,
		       });
}

static void keys_are_numbered_once(void **state)
{
	struct grid *grid = make(4);

	(void)state;
	assert_int_equal(key(grid, "a", "b"), 0);
	assert_int_equal(key(grid, "ab", ""), 1);
	assert_int_equal(key(grid, "", "ab"), 2);
	assert_int_equal(key(grid, "a", "b"), 0);
	assert_int_equal(grid->nkeys, 3);
	assert_memory_equal(grid->keys[1][0].p, "ab", 2);
	grid_free(grid);
}

/* An event each, more of them than cells are kept. */
static void cells_are_merged(void **state)
{
	struct grid *grid = make(4);

	(void)state;
	for (int i = 0; i < 100000; i++)
		add(grid, 100 - i % 7, (uint32_t)i % 3,
		    key(grid, i & 1 ? "a" : "b", ""), 1);
	grid_finish(grid);
	assert_int_equal(grid->ncells, 7 * 3 * 2);
	assert_int_equal(grid->first_column, 94);
	assert_int_equal(grid->last_column, 100);
	assert_int_equal(grid->first_row, 0);
	assert_int_equal(grid->last_row, 2);
	int64_t total = 0;

	for (uint32_t i = 0; i < grid->ncells; i++) {
		const struct grid_cell *cell = &grid->cells[i];

		total += cell->count;
		assert_true(!i || cell[-1].column < cell->column ||
			    (cell[-1].column == cell->column &&
			     (cell[-1].row < cell->row ||
			      cell[-1].key < cell->key)));
	}
	assert_int_equal(total, 100000);
	grid_free(grid);
}

static void the_traced_time_is_shown(void **state)
{
	struct grid *grid = make(4);

	(void)state;
	add(grid, 12, 1, key(grid, "", ""), 1);
	grid_span(grid, 10, 20);
	grid_finish(grid);
	assert_int_equal(grid_columns(grid), 11);
	grid_free(grid);
	grid = make(4);
	grid_span(grid, 10, 20);
	grid_finish(grid);
	assert_int_equal(grid_columns(grid), 11);
	grid_free(grid);
}

static void blocks_have_shares_and_ranks(void **state)
{
	static const struct {
		int64_t column;
		uint32_t row;
		int64_t count;
		double share, below;
		unsigned level;
	} cells[] = {
		/* 1 1 2 6 90: how many are smaller, of 4 */
		{ 5, 0, 2, 0.2, 0.2, 7 },
		{ 5, 1, 1, 0.1, 0.3, 0 },
		{ 5, 2, 1, 0.1, 0.4, 0 },
		{ 5, 3, 6, 0.6, 1, 11 },
		{ 7, 3, 90, 1, 1, HEAT_LEVELS - 1 },
	};
	enum { NCELLS = sizeof(cells) / sizeof(*cells) };
	struct grid *grid = make(4);
	struct heat_blocks blocks;

	(void)state;
	for (int i = NCELLS - 1; i >= 0; i--)
		add(grid, cells[i].column, cells[i].row, key(grid, "", ""),
		    cells[i].count);
	grid_finish(grid);
	heat_blocks_make(&blocks, grid, 100);
	assert_int_equal(blocks.nblocks, NCELLS);
	for (int i = 0; i < NCELLS; i++) {
		const struct heat_block *block = &blocks.blocks[i];

		assert_int_equal(block->column, cells[i].column - 5);
		assert_int_equal(block->count, cells[i].count);
		assert_true(block->share == cells[i].share);
		assert_true(block->below > cells[i].below - 1e-9);
		assert_true(block->below < cells[i].below + 1e-9);
		assert_int_equal(block->level, cells[i].level);
	}
	heat_blocks_free(&blocks);
	/* columns 5 to 7 as two: 5 and 6, 7 */
	heat_blocks_make(&blocks, grid, 2);
	assert_int_equal(blocks.columns, 2);
	assert_int_equal(blocks.blocks[4].column, 1);
	heat_blocks_free(&blocks);
	grid_free(grid);
}

/* Stacks are cells of their own in a page, but not in a picture that has none. */
static void stacks_are_kept_once(void **state)
{
	struct profile *stacks = profile_new();
	uint32_t outer = profile_frame(stacks, "outer", 5, "", 0, PROFILE_USER);
	uint32_t inner = profile_frame(stacks, "inner", 5, "", 0, PROFILE_USER);
	uint32_t path[] = { outer, inner };
	struct grid *grids[] = { make(4), make(4), make(3) };
	struct heat heat = {
		.title = "", .subtitle = "", .zone = "UTC",
		.grids = grids, .ngrids = 3, .stacks = stacks,
	};
	struct heat_blocks blocks;
	char *text;
	size_t size;

	(void)state;
	grids[1]->has_stacks = true;
	for (uint32_t i = 0; i < 4; i++)
		grid_add(grids[1], &(struct grid_cell){
					   .key = key(grids[1], "a", "b"),
					   .stack = profile_place(stacks, path,
								  1 + i % 2),
					   .count = 1,
				   });
	assert_int_equal(profile_place(stacks, path, 0), 0);
	add(grids[0], 0, 0, key(grids[0], "a", "b"), 4);
	add(grids[2], 0, 0, key(grids[2], "a", "b"), 4);
	for (uint32_t i = 0; i < heat.ngrids; i++)
		grid_finish(grids[i]);
	profile_settle(stacks);
	assert_int_equal(grids[1]->ncells, 2);
	heat_blocks_make(&blocks, grids[1], 100);
	assert_int_equal(blocks.nblocks, 1);
	assert_int_equal(blocks.blocks[0].ncells, 1);
	assert_int_equal(blocks.blocks[0].count, 4);
	heat_blocks_free(&blocks);
	FILE *out = open_memstream(&text, &size);

	assert_true(write_heat_html(out, &heat));
	fclose(out);
	/* the first one has the stacks of the second, which is like it */
	char *first = strstr(text, "\"stacksIn\":1");

	assert_non_null(first);
	first = strstr(first + 1, "\"stacksIn\":1");
	assert_non_null(first);
	assert_null(strstr(first + 1, "\"stacksIn\":"));
	assert_non_null(strstr(text, "\"strings\":[\"outer\",\"inner\"]"));
	/* column, row, key, count 2, and the stacks 1 and 2 */
	assert_non_null(strstr(text, "\"cells\":\"AAAABAEAAAAEAg==\""));
	free(text);
	for (uint32_t i = 0; i < heat.ngrids; i++)
		grid_free(grids[i]);
	profile_free(stacks);
}

/* What a damaged recording can hold is drawn somehow, without harm. */
static void nonsense_is_drawn(void **state)
{
	struct grid *grid = make(4);
	struct heat heat = {
		.title = "<&>", .subtitle = "", .zone = "UTC",
		.grids = &grid, .ngrids = 1,
	};
	char *text;
	size_t size;

	(void)state;
	add(grid, 0, 0, key(grid, "</title>", "\xff"), INT64_MAX);
	add(grid, 0, 0, key(grid, "</title>", "\xff"), INT64_MAX);
	add(grid, INT64_MAX / 4, 3, key(grid, "", ""), INT64_MIN);
	grid_finish(grid);
	FILE *out = open_memstream(&text, &size);

	assert_true(write_heat_svg(out, &heat));
	assert_true(write_heat_html(out, &heat));
	fclose(out);
	assert_non_null(strstr(text, "&#60;/title&#62;, \\377"));
	assert_null(strstr(text, "</title>, "));
	free(text);
	grid_free(grid);
}

static void quantities_are_short(void **state)
{
	static const struct {
		int64_t value;
		const char *unit, *text;
	} cases[] = {
		{ 0, "ns", "0 ns" },
		{ 999, "ns", "999 ns" },
		{ 1500, "ns", "1.5 µs" },
		{ -2000000, "ns", "-2 ms" },
		{ 65536, "bytes", "64 KiB" },
		{ 12, NULL, "12" },
		{ 12, "", "12" },
		{ 12, "cakes", "12 cakes" },
		{ 90000000000, "ns", "1.5 min" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct text text = { 0 };

		quantity_put(&text, cases[i].value, cases[i].unit);
		assert_string_equal(text_str(&text), cases[i].text);
		text_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_numbered_once),
		cmocka_unit_test(cells_are_merged),
		cmocka_unit_test(the_traced_time_is_shown),
		cmocka_unit_test(blocks_have_shares_and_ranks),
		cmocka_unit_test(stacks_are_kept_once),
		cmocka_unit_test(nonsense_is_drawn),
		cmocka_unit_test(quantities_are_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
