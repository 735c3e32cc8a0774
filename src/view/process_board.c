/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checkerboard: threads in rows, time from left to right, the CPU as colour.
 *
 * Two threads that take turns on one CPU look like a checkerboard.  A cell is a
 * pixel column of a thread; it is as opaque as the part of its time in which
 * the thread ran, so turns that are shorter than a pixel are a grey, not a lie.
 * Neighbours that are alike are one box.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/vec.h"
#include "view/process.h"

enum {
	COLUMNS = 1200,
	LEFT = 220,
	MOST_ROWS = 64,
	CELL = 14,
	LEVELS = 8,
	NAME = 26,
	HOVER = 3, /* pixels: narrower boxes have no hover */
};

/* One turn of a thread on a CPU. */
struct turn {
	uint64_t begin, end;
	uint32_t cpu, thread;
};

struct thread {
	int64_t id, pid;
	const char *name;
	uint64_t time;
	uint32_t row; /* when it is drawn, + 1 */
};

/* What a CPU does now. */
struct running {
	uint64_t since;
	uint32_t thread; /* + 1; 0: unknown or idle */
};

struct board {
	struct arena *arena;
	struct table by_id; /* threads, + 1 */
	struct vec threads;
	struct turn *turns;
	size_t nturns, capacity;
	struct running *cpus;
	uint32_t ncpus;
};

struct board *board_new(void)
{
	struct board *board = must_alloc(sizeof(*board));

	board->arena = arena_new();
	return board;
}

void board_free(struct board *board)
{
	table_free(&board->by_id);
	vec_free(&board->threads);
	free(board->turns);
	free(board->cpus);
	arena_free(board->arena);
	free(board);
}

/* ----------------------------------------------------------------- turns */

static uint32_t thread_of(struct board *board, int64_t id, int64_t pid,
			  const char *name)
{
	struct str key = { (const char *)&id, sizeof(id) };
	uintptr_t number = (uintptr_t)table_get(&board->by_id, key);

	if (number) {
		struct thread *known = vec_at(&board->threads, number - 1,
					      struct thread);

		/* it executes another program now */
		if (strcmp(known->name, name))
			known->name = arena_strdup(board->arena, name);
		return (uint32_t)(number - 1);
	}
	struct thread *thread = arena_new_of(board->arena, struct thread);

	thread->id = id;
	thread->pid = pid;
	thread->name = arena_strdup(board->arena, name);
	vec_push(&board->threads, thread);
	number = board->threads.count;
	key.p = arena_copy(board->arena, &id, sizeof(id));
	table_put(&board->by_id, key, (void *)number);
	return (uint32_t)(number - 1);
}

static void end_turn(struct board *board, uint32_t cpu, uint64_t time)
{
	struct running *running = &board->cpus[cpu];

	if (!running->thread || time <= running->since)
		return;
	if (board->nturns == board->capacity) {
		board->capacity = board->capacity * 2 + 1024;
		board->turns = must_realloc(board->turns,
					    checked_mul(board->capacity,
							sizeof(struct turn)));
	}
	board->turns[board->nturns++] = (struct turn){
		.begin = running->since,
		.end = time,
		.cpu = cpu,
		.thread = running->thread - 1,
	};
	vec_at(&board->threads, running->thread - 1, struct thread)->time +=
		time - running->since;
}

void board_run(struct board *board, uint64_t time, uint32_t cpu, int64_t thread,
	       int64_t pid, const char *name)
{
	if (cpu >= board->ncpus) {
		board->cpus = must_realloc(board->cpus,
					   checked_mul((size_t)cpu + 1,
						       sizeof(*board->cpus)));
		while (board->ncpus <= cpu)
			board->cpus[board->ncpus++] = (struct running){ 0 };
	}
	end_turn(board, cpu, time);
	board->cpus[cpu] = (struct running){
		.since = time,
		.thread = thread ? thread_of(board, thread, pid, name) + 1 : 0,
	};
}

/* ------------------------------------------------------------------ rows */

static int compare_times(const void *a, const void *b)
{
	const struct thread *x = *(struct thread *const *)a;
	const struct thread *y = *(struct thread *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	return (x->id > y->id) - (x->id < y->id);
}

static int compare_ids(const void *a, const void *b)
{
	const struct thread *x = *(struct thread *const *)a;
	const struct thread *y = *(struct thread *const *)b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Those that ran most, by process. */
static struct thread **choose_rows(const struct board *board, uint32_t *count)
{
	size_t n = board->threads.count;
	struct thread **rows = must_alloc(checked_mul(n + 1, sizeof(*rows)));

	for (size_t i = 0; i < n; i++)
		rows[i] = vec_at(&board->threads, i, struct thread);
	qsort(rows, n, sizeof(*rows), compare_times);
	*count = n < MOST_ROWS ? (uint32_t)n : MOST_ROWS;
	qsort(rows, *count, sizeof(*rows), compare_ids);
	for (uint32_t i = 0; i < *count; i++)
		rows[i]->row = i + 1;
	return rows;
}

/* ----------------------------------------------------------------- cells */

struct cell {
	float part; /* of the column's time, 0 to 1 */
	float most; /* of one turn; that one's CPU is shown */
	uint32_t cpu;
};

struct grid {
	uint64_t from, span;
	struct cell *cells; /* by row, then column */
};

static void add_turn(const struct grid *grid, const struct turn *turn,
		     uint32_t row)
{
	double scale = (double)COLUMNS / (double)grid->span;
	double begin = (double)(turn->begin - grid->from) * scale;
	double end = (double)(turn->end - grid->from) * scale;

	if (end > COLUMNS)
		end = COLUMNS;
	for (int column = (int)begin; column < COLUMNS && column < end;
	     column++) {
		struct cell *cell =
			&grid->cells[(size_t)row * COLUMNS + (size_t)column];
		double left = begin > column ? begin : column;
		double right = end < column + 1 ? end : column + 1;
		float part = (float)(right - left);

		cell->part += part;
		if (part > cell->most) {
			cell->most = part;
			cell->cpu = turn->cpu;
		}
	}
}

static int level_of(const struct cell *cell)
{
	int level = (int)(cell->part * LEVELS + 0.5f);

	if (level > LEVELS)
		level = LEVELS;
	return level || cell->part <= 0 ? level : 1;
}

/* Hues that are far apart for CPUs that are neighbours. */
static unsigned hue_of(uint32_t cpu)
{
	return (210 + cpu * 137) % 360;
}

static void draw_row(FILE *out, const struct grid *grid,
		     const struct thread *thread, double y)
{
	const struct cell *row =
		&grid->cells[(size_t)(thread->row - 1) * COLUMNS];
	struct text text = { 0 };

	for (int i = 0, end; i < COLUMNS; i = end) {
		int level = level_of(&row[i]);

		for (end = i + 1; end < COLUMNS &&
				  level_of(&row[end]) == level &&
				  (!level || row[end].cpu == row[i].cpu);)
			end++;
		if (!level)
			continue;
		fprintf(out,
			"<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"hsl(%u,65%%,45%%)\"",
			LEFT + i, y, end - i, CELL, hue_of(row[i].cpu));
		if (level < LEVELS)
			fprintf(out, " fill-opacity=\"%.2f\"",
				(double)level / LEVELS);
		if (end - i < HOVER) {
			fputs("/>\n", out);
			continue;
		}
		text_clear(&text);
		text_printf(&text, "%s, thread %lld, CPU %u, ", thread->name,
			    (long long)thread->id, row[i].cpu);
		put_duration(&text, grid->span * (uint64_t)i / COLUMNS);
		text_puts(&text, " to ");
		put_duration(&text, grid->span * (uint64_t)end / COLUMNS);
		putc('>', out);
		svg_hover(out, text_str(&text), text.n);
		fputs("</rect>\n", out);
	}
	text_free(&text);
}

static void draw_names(FILE *out, struct thread *const *rows, uint32_t nrows)
{
	struct text text = { 0 };

	for (uint32_t i = 0; i < nrows; i++) {
		text_clear(&text);
		text_printf(&text, "%lld %s", (long long)rows[i]->id,
			    rows[i]->name);
		svg_text(out, SVG_PAD, SVG_HEAD + SVG_ROW * (i + 1.0) - 4, "",
			 text_str(&text), text.n < NAME ? text.n : NAME);
	}
	text_free(&text);
}

/* Which colour is which CPU, and how many threads are not there. */
static void draw_foot(FILE *out, const struct board *board, uint32_t nrows,
		      double y)
{
	struct text text = { 0 };
	double x = LEFT;

	for (uint32_t cpu = 0; cpu < board->ncpus && cpu < 64; cpu++) {
		text_clear(&text);
		text_printf(&text, "CPU %u", cpu);
		fprintf(out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"hsl(%u,65%%,45%%)\"/>\n",
			x, y - 9, hue_of(cpu));
		svg_text(out, x + 14, y, "", text_str(&text), text.n);
		x += 70;
	}
	if (nrows < board->threads.count) {
		text_clear(&text);
		text_printf(&text, "%zu more threads",
			    board->threads.count - nrows);
		svg_text(out, SVG_PAD, y, "", text_str(&text), text.n);
	}
	text_free(&text);
}

static void draw(FILE *out, const struct board *board, const struct grid *grid,
		 struct thread *const *rows, uint32_t nrows, const char *title)
{
	double bottom = SVG_HEAD + SVG_ROW * (double)nrows;

	svg_begin(out, LEFT + COLUMNS + 6 * SVG_PAD,
		  bottom + 3 * SVG_ROW + SVG_PAD, title);
	svg_axis(out, LEFT, COLUMNS, SVG_HEAD, bottom, grid->span);
	draw_names(out, rows, nrows);
	for (uint32_t i = 0; i < nrows; i++)
		draw_row(out, grid, rows[i], SVG_HEAD + SVG_ROW * (double)i);
	draw_foot(out, board, nrows, bottom + 2.5 * SVG_ROW);
	svg_end(out);
}

bool write_board(FILE *out, struct board *board, uint64_t from, uint64_t to,
		 const char *title, bool is_html)
{
	struct grid grid = { .from = from, .span = to > from ? to - from : 1 };
	uint32_t nrows;

	for (uint32_t cpu = 0; cpu < board->ncpus; cpu++)
		end_turn(board, cpu, to);
	struct thread **rows = choose_rows(board, &nrows);

	grid.cells = must_alloc(checked_mul((size_t)nrows * COLUMNS + 1,
					    sizeof(struct cell)));
	for (size_t i = 0; i < board->nturns; i++) {
		const struct turn *turn = &board->turns[i];
		const struct thread *thread = vec_at(&board->threads,
						     turn->thread,
						     const struct thread);

		if (thread->row && turn->begin >= from)
			add_turn(&grid, turn, thread->row - 1);
	}
	if (is_html)
		fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		      "<title>Threads on CPUs</title>\n</head>\n<body>\n",
		      out);
	draw(out, board, &grid, rows, nrows, title);
	if (is_html)
		fputs("</body>\n</html>\n", out);
	free(grid.cells);
	free(rows);
	return !ferror(out);
}
