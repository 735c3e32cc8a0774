/* SPDX-License-Identifier: Apache-2.0 */
#include "sink/heat.h"

#include <stdlib.h>
#include <time.h>

#include "agg/agg.h"
#include "view/write_heat.h"

static struct heat_sink *self(struct sink *sink)
{
	return (struct heat_sink *)sink;
}

struct sink *heat_open(const struct sink_class *class,
		       const struct sink_setup *setup, uint64_t step)
{
	struct heat_sink *heat = must_alloc(sizeof(*heat));

	heat->sink.class = class;
	heat->renderer = (struct renderer){
		.options = setup->options,
		.resolver = setup->resolver,
		.target = setup->target,
		.is_quiet = true,
	};
	heat->options = setup->options;
	heat->step = step;
	heat->arena = arena_new();
	heat->stacks = profile_new();
	heat->frames.names = heat->stacks;
	heat->frames.resolver = setup->resolver;
	heat->frames.options = setup->options;
	return &heat->sink;
}

/* ----------------------------------------------------------------- grids */

struct grid *heat_grid(const struct heat_sink *heat,
		       const struct schema_aggregation *source)
{
	for (uint32_t i = 0; i < heat->ngrids; i++)
		if (heat->sources[i] == source)
			return heat->grids[i];
	return NULL;
}

struct grid *heat_new_grid(struct heat_sink *heat,
			   const struct schema_aggregation *source,
			   const struct schema_field *keys, uint32_t nkeys)
{
	struct grid *grid = grid_new();
	const char **names = grid_alloc(grid, (nkeys + 1) * sizeof(*names));

	for (uint32_t i = 0; i < nkeys; i++) {
		char name[32];

		if (keys[i].kind == FACT_STACK)
			continue;
		snprintf(name, sizeof(name), "key %u", i + 1);
		names[grid->nkey_names++] =
			grid_strdup(grid, keys[i].name ? keys[i].name : name);
	}
	grid->key_names = names;
	grid->has_stacks = grid->nkey_names < nkeys;
	grid->step = heat->step;
	heat->grids = arena_grown(heat->arena, heat->grids, heat->ngrids,
				  sizeof(struct grid *));
	heat->sources = arena_grown(heat->arena, heat->sources, heat->ngrids,
				    sizeof(source));
	heat->grids[heat->ngrids] = grid;
	heat->sources[heat->ngrids++] = source;
	return grid;
}

void heat_name_grid(struct grid *grid, const struct schema_aggregation *source,
		    const char *what)
{
	/* as in D: @[execname] has no name of its own */
	bool is_named = strcmp(source->name, "_") != 0;
	struct text name = { 0 };

	text_printf(&name, "@%s: %s", is_named ? source->name : "", what);
	grid->name = grid_strdup(grid, text_str(&name));
	text_free(&name);
}

void heat_set_rows(struct grid *grid, const struct schema_aggregation *source)
{
	grid->nrows = source->nvalues;
	grid->rows = grid_alloc(grid, grid->nrows * sizeof(*grid->rows));
	for (uint32_t i = 0; i < grid->nrows; i++) {
		struct agg_range range =
			source->aggregate->range(source->params,
						 source->nvalues, i);

		grid->rows[i] = (struct grid_row){
			.low = range.low,
			.high = range.high,
			.is_open_below = range.is_open_below,
			.is_open_above = range.is_open_above,
		};
	}
}

/* ------------------------------------------------------------------ keys */

uint32_t heat_words(const struct schema_field *keys, uint32_t nkeys)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < nkeys; i++)
		count += keys[i].kind != FACT_STACK;
	return count;
}

static uint32_t key_of(struct heat_sink *heat, struct grid *grid,
		       const struct fact_value *keys, uint32_t nkeys)
{
	uint32_t n = 0, number;
	size_t most = (size_t)grid->nkey_names + 1;
	struct str *words = must_alloc(most * sizeof(*words));
	struct text *texts = must_alloc(most * sizeof(*texts));

	for (uint32_t i = 0; i < nkeys && n < grid->nkey_names; i++) {
		if (keys[i].kind == FACT_STACK)
			continue;
		render_word(&heat->renderer, &keys[i], SIZE_MAX, &texts[n]);
		words[n] = (struct str){ text_str(&texts[n]), texts[n].n };
		n++;
	}
	number = grid_key(grid, words);
	for (uint32_t i = 0; i < n; i++)
		text_free(&texts[i]);
	free(texts);
	free(words);
	return number;
}

struct grid_cell heat_cell(struct heat_sink *heat, struct grid *grid,
			   const struct fact_value *keys, uint32_t nkeys)
{
	struct frame_list *frames = &heat->frames;
	struct grid_cell cell = { .key = key_of(heat, grid, keys, nkeys) };

	if (!grid->has_stacks)
		return cell;
	frames->count = 0;
	frame_list_push_stacks(frames, keys, nkeys);
	cell.stack = profile_place(heat->stacks, frames->frames, frames->count);
	return cell;
}

/* ----------------------------------------------------------------- facts */

bool heat_start(struct sink *sink, const struct fact_start *start)
{
	struct heat_sink *heat = self(sink);

	heat->started = heat->ended = heat_time(start->wall);
	heat->wall = start->wall - start->stamp;
	heat->host = arena_strdup(heat->arena, start->host ? start->host : "");
	return true;
}

bool heat_drop(struct sink *sink, const struct fact_drop *drop)
{
	self(sink)->drops[drop->kind] += drop->count;
	return true;
}

bool heat_fault(struct sink *sink, const struct fact_fault *fault)
{
	(void)fault;
	self(sink)->faults++;
	return true;
}

/* ------------------------------------------------------------- the file */

static void add_note(struct heat_sink *heat, struct heat *picture, char *note)
{
	picture->notes = arena_grown(heat->arena, (void *)picture->notes,
				     picture->nnotes, sizeof(note));
	((const char **)picture->notes)[picture->nnotes++] = note;
}

static void add_notes(struct heat_sink *heat, struct heat *picture)
{
	unsigned long long ms = heat->step / 1000000;

	for (enum drop_kind kind = 0; kind < DROP_KINDS; kind++)
		if (heat->drops[kind])
			add_note(heat, picture,
				 arena_printf(heat->arena, "%llu drops (%s)",
					      (unsigned long long)
						      heat->drops[kind],
					      drop_name(kind)));
	if (heat->faults)
		add_note(heat, picture,
			 arena_printf(heat->arena, "%llu errors in clauses",
				      (unsigned long long)heat->faults));
	if (heat->misplaced)
		add_note(heat, picture,
			 arena_printf(heat->arena,
				      "%llu events outside of the traced time",
				      (unsigned long long)heat->misplaced));
	if (heat->nlong > heat->nsnapshots / 2)
		add_note(
			heat, picture,
			arena_printf(
				heat->arena,
				"a column is %llu ms, but values were counted in longer intervals: record with -x interval=%llums",
				ms, ms));
	else if (heat->nlong)
		add_note(
			heat, picture,
			arena_printf(
				heat->arena,
				"%u of %u snapshots came late and hold more than a column: gaps before them may be none",
				heat->nlong, heat->nsnapshots));
	if (!heat->ngrids && heat->has_tables)
		add_note(
			heat, picture,
			"the recording has no snapshots: record with -x interval=1s");
	else if (!heat->ngrids)
		add_note(heat, picture, "nothing was counted");
}

static const char *subtitle(struct heat_sink *heat)
{
	time_t second = (time_t)(heat->started / HEAT_SECOND);
	struct tm when = { 0 };
	char date[64];

	localtime_r(&second, &when);
	strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S %Z", &when);
	return arena_printf(heat->arena, "%s%s%s, %.1f s", heat->host,
			    *heat->host ? ", " : "", date,
			    (double)(heat->ended - heat->started) /
				    HEAT_SECOND);
}

/* Grids of aggregations that the picture cannot show. */
static void drop_empty(struct heat_sink *heat)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < heat->ngrids; i++) {
		if (heat->grids[i]->nrows)
			heat->grids[kept++] = heat->grids[i];
		else
			grid_free(heat->grids[i]);
	}
	heat->ngrids = kept;
}

bool heat_draw(struct sink *sink, struct draft *draft)
{
	struct heat_sink *heat = self(sink);
	struct heat picture = { 0 };
	const char *title = option_text(heat->options, OPTION_TITLE);
	time_t second = (time_t)(heat->started / HEAT_SECOND);
	struct tm when = { 0 };

	localtime_r(&second, &when);
	drop_empty(heat);
	for (uint32_t i = 0; i < heat->ngrids; i++) {
		grid_span(heat->grids[i], heat->started / (int64_t)heat->step,
			  (heat->ended - 1) / (int64_t)heat->step);
		grid_finish(heat->grids[i]);
	}
	picture.title = title	       ? title
			: heat->ngrids ? heat->grids[0]->name
				       : "heat map";
	picture.subtitle = subtitle(heat);
	picture.zone = when.tm_zone;
	picture.zone_seconds = (int32_t)when.tm_gmtoff;
	picture.grids = heat->grids;
	picture.ngrids = heat->ngrids;
	profile_settle(heat->stacks);
	picture.stacks = heat->stacks;
	add_notes(heat, &picture);
	return !strcmp(draft->suffix, "html")
		       ? write_heat_html(draft->stream, &picture)
		       : write_heat_svg(draft->stream, &picture);
}

void heat_end(struct sink *sink, const struct fact_end *end)
{
	struct heat_sink *heat = self(sink);

	heat->ended = heat_time(end->stamp + heat->wall);
}

void heat_close(struct sink *sink)
{
	struct heat_sink *heat = self(sink);

	for (uint32_t i = 0; i < heat->ngrids; i++)
		grid_free(heat->grids[i]);
	frame_list_free(&heat->frames);
	profile_free(heat->stacks);
	arena_free(heat->arena);
	free(heat);
}
