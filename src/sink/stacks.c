/* SPDX-License-Identifier: Apache-2.0 */
#include "sink/stacks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/table.h"
#include "base/vec.h"
#include "sink/frame_list.h"
#include "sink/render.h"

/* An aggregation with a stack in its key: what is needed when it is gone. */
struct origin {
	const char *name, *function;
	const struct aggregate *aggregate;
	uint32_t id, nvalues;
	uint32_t by; /* the key of -x flameby, counted from 0; or NO_KEY */
	bool has_snapshots;
	/* Of the table that counts; rows of older ones do not. */
	uint32_t generation;
};

enum { NO_KEY = UINT32_MAX };

struct row {
	const struct origin *origin;
	uint32_t generation;
	bool has_group; /* frames[0] is the key of -x flameby */
	const uint32_t *frames;
	uint32_t nframes;
	int64_t values[];
};

struct stacks {
	struct sink sink;
	const struct options *options;
	const struct resolver *resolver;
	bool has_snapshots;
	struct arena *arena;
	struct profile *names; /* has the frames of all rows, but no stacks */
	struct vec origins, rows;
	struct table by_frames; /* rows, by origin and frames */
	/* the row at hand: its frames, preceded by the number of its origin */
	struct frame_list list;
	bool is_pid_0;
	uint64_t begin, end, drops;
	struct text subtitle;
	struct stacks_group *groups; /* when all is known */
	uint32_t ngroups;
};

static struct stacks *self(struct sink *sink)
{
	return (struct stacks *)sink;
}

/* --------------------------------------------------------------- origins */

static bool has_stack(const struct schema_aggregation *aggregation)
{
	for (uint32_t i = 0; i < aggregation->nkeys; i++)
		if (aggregation->keys[i].kind == FACT_STACK)
			return true;
	return false;
}

const char *stacks_refuse(const struct schema *schema)
{
	for (uint32_t i = 0; i < schema->naggregations; i++)
		if (schema->aggregations[i] &&
		    has_stack(schema->aggregations[i]))
			return NULL;
	return "no aggregation has a stack in its key, such as @[stack()] or @[ustack()]";
}

/* The key that -x flameby names: by its name, or its place from 1. */
static uint32_t key_to_group(const struct stacks *stacks,
			     const struct schema_aggregation *aggregation)
{
	const char *by = option_text(stacks->options, OPTION_FLAMEBY);
	char *end;
	unsigned long place = by ? strtoul(by, &end, 10) : 0;

	for (uint32_t i = 0; by && i < aggregation->nkeys; i++) {
		const struct schema_field *key = &aggregation->keys[i];

		if (key->kind != FACT_STACK &&
		    ((key->name && !strcmp(key->name, by)) ||
		     (!*end && place == i + 1)))
			return i;
	}
	return NO_KEY;
}

static struct origin *origin_of(struct stacks *stacks,
				const struct schema_aggregation *aggregation)
{
	for (size_t i = 0; i < stacks->origins.count; i++) {
		struct origin *origin = vec_at(&stacks->origins, i,
					       struct origin);

		if (origin->id == aggregation->id)
			return origin;
	}
	struct origin *origin = arena_new_of(stacks->arena, struct origin);

	origin->id = aggregation->id;
	origin->name = arena_strdup(stacks->arena, aggregation->name
							   ? aggregation->name
							   : "_");
	origin->function = arena_strdup(stacks->arena, aggregation->function);
	origin->aggregate = aggregation->aggregate;
	origin->nvalues = aggregation->nvalues;
	origin->by = key_to_group(stacks, aggregation);
	vec_push(&stacks->origins, origin);
	return origin;
}

/* ---------------------------------------------------------------- frames */

/* A key that is no stack: "bash", "cpu 3", "vmlinux`vfs_read". */
static void push_value(struct stacks *stacks, const struct fact_value *value)
{
	const struct renderer renderer = {
		.options = stacks->options,
		.resolver = stacks->resolver,
		.is_quiet = true,
	};
	const char *name = value->field ? value->field->name : NULL;
	struct text text = { 0 };

	if (value->kind == FACT_INTEGER) {
		int64_t number = fact_integer(value);

		if (name)
			text_printf(&text, "%s ", name);
		text_printf(&text, value->is_signed ? "%lld" : "%llu",
			    (long long)number);
		stacks->is_pid_0 |= name && !strcmp(name, "pid") && !number;
	} else if (value->kind == FACT_STRING) {
		text_add(&text, (const char *)value->bytes, fact_length(value));
		stacks->list.is_idle |= name && !strcmp(name, "execname") &&
					!strncmp(text_str(&text), "swapper/",
						 8);
	} else {
		render_default(&renderer, value, &text);
	}
	frame_list_push_key(&stacks->list, text_str(&text), text.n);
	text_free(&text);
}

static void push_row(struct stacks *stacks, const struct origin *origin,
		     const struct fact_row *row)
{
	struct frame_list *list = &stacks->list;

	list->count = 0;
	list->is_idle = stacks->is_pid_0 = false;
	frame_list_push(list, origin->id);
	if (origin->by != NO_KEY)
		push_value(stacks, &row->keys[origin->by]);
	for (uint32_t i = 0; i < row->nkeys; i++)
		if (i != origin->by && row->keys[i].kind != FACT_STACK)
			push_value(stacks, &row->keys[i]);
	uint32_t nkeys = list->count;

	frame_list_push_stacks(list, row->keys, row->nkeys);
	/* with a stack it is a process that has no number here */
	list->is_idle |= stacks->is_pid_0 && list->count == nkeys;
}

/* ------------------------------------------------------------------ rows */

static struct row *row_of(struct stacks *stacks, const struct origin *origin)
{
	size_t size = stacks->list.count * sizeof(uint32_t);
	struct str key = { (const char *)stacks->list.frames, size };
	struct row *row = table_get(&stacks->by_frames, key);

	if (row)
		return row;
	row = arena_alloc(stacks->arena,
			  sizeof(*row) + origin->nvalues * sizeof(int64_t));
	key.p = arena_copy(stacks->arena, key.p, size);
	row->origin = origin;
	row->has_group = origin->by != NO_KEY;
	row->frames = (const uint32_t *)key.p + 1;
	row->nframes = stacks->list.count - 1;
	row->generation = origin->generation - 1;
	table_put(&stacks->by_frames, key, row);
	vec_push(&stacks->rows, row);
	return row;
}

static void take_row(struct stacks *stacks, const struct origin *origin,
		     const struct fact_row *fact, const int64_t *values)
{
	push_row(stacks, origin, fact);
	if (stacks->list.is_idle &&
	    !option_on(stacks->options, OPTION_FLAMEIDLE))
		return;
	struct row *row = row_of(stacks, origin);

	if (row->generation == origin->generation)
		origin->aggregate->merge(row->values, values, origin->nvalues);
	else
		memcpy(row->values, values, origin->nvalues * sizeof(int64_t));
	row->generation = origin->generation;
}

static void take_table(struct stacks *stacks, const struct fact_table *table,
		       bool is_snapshot)
{
	for (uint32_t i = 0; i < table->naggregations; i++) {
		if (!has_stack(table->aggregations[i]))
			continue;
		struct origin *origin = origin_of(stacks,
						  table->aggregations[i]);
		struct fact_row row;

		/* one that was shown is in snapshots, too */
		if (!is_snapshot && origin->has_snapshots)
			continue;
		if (is_snapshot != origin->has_snapshots || !is_snapshot)
			origin->generation++;
		origin->has_snapshots = is_snapshot;
		for (uint32_t n = 0; n < table->nrows; n++) {
			table->row(table, n, &row);
			take_row(stacks, origin, &row, row.values[i]);
		}
	}
}

/* ----------------------------------------------------------------- facts */

static bool take_start(struct sink *sink, const struct fact_start *start)
{
	struct stacks *stacks = self(sink);
	time_t seconds = (time_t)(start->wall / 1000000000);
	struct tm when;
	char date[64];

	stacks->begin = start->stamp;
	localtime_r(&seconds, &when);
	strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S %Z", &when);
	if (start->host && *start->host)
		text_printf(&stacks->subtitle, "%s, ", start->host);
	text_puts(&stacks->subtitle, date);
	return true;
}

static bool take_action(struct sink *sink, const struct fact_record *record,
			const struct fact_action *action)
{
	struct stacks *stacks = self(sink);

	(void)record;
	if (action->table && !stacks->has_snapshots)
		take_table(stacks, action->table, false);
	return true;
}

static bool take_rest(struct sink *sink, const struct fact_table *table)
{
	if (!self(sink)->has_snapshots)
		take_table(self(sink), table, false);
	return true;
}

static bool take_snapshot(struct sink *sink,
			  const struct fact_snapshot *snapshot)
{
	take_table(self(sink), snapshot->table, true);
	return true;
}

static bool take_drop(struct sink *sink, const struct fact_drop *drop)
{
	self(sink)->drops += drop->count;
	return true;
}

static void take_end(struct sink *sink, const struct fact_end *end)
{
	self(sink)->end = end->stamp;
}

static struct sink *open_stacks(const struct sink_setup *setup)
{
	struct stacks *stacks = must_alloc(sizeof(*stacks));

	stacks->sink.class = &stacks_class;
	stacks->options = setup->options;
	stacks->resolver = setup->resolver;
	stacks->has_snapshots = setup->has_snapshots;
	stacks->arena = arena_new();
	stacks->names = profile_new();
	stacks->list.names = stacks->names;
	stacks->list.resolver = setup->resolver;
	stacks->list.options = setup->options;
	return &stacks->sink;
}

static void close_stacks(struct sink *sink)
{
	struct stacks *stacks = self(sink);

	profile_free(stacks->names);
	vec_free(&stacks->origins);
	vec_free(&stacks->rows);
	table_free(&stacks->by_frames);
	frame_list_free(&stacks->list);
	free(stacks->groups);
	text_free(&stacks->subtitle);
	arena_free(stacks->arena);
	free(stacks);
}

const struct sink_class stacks_class = {
	.name = "stacks",
	.open = open_stacks,
	.close = close_stacks,
	.start = take_start,
	.action = take_action,
	.table = take_rest,
	.snapshot = take_snapshot,
	.drop = take_drop,
	.end = take_end,
};

/* -------------------------------------------------------------- profiles */

static int64_t weight_of(const struct row *row)
{
	const struct aggregate *aggregate = row->origin->aggregate;

	if (row->generation != row->origin->generation)
		return 0;
	if (aggregate->number)
		return aggregate->number(row->values, 1);
	return (int64_t)aggregate->count(row->values, row->origin->nvalues);
}

static void add_row(const struct stacks *stacks, struct profile *profile,
		    const struct row *row, bool is_one_of_many)
{
	uint32_t frames[PROFILE_DEPTH], n = 0;
	uint32_t skip = is_one_of_many && row->has_group;

	if (stacks->origins.count > 1) {
		struct text text = { 0 };

		text_printf(&text, "@%s", row->origin->name);
		frames[n++] = profile_frame(profile, text_str(&text), text.n,
					    NULL, 0, PROFILE_KEY);
		text_free(&text);
	}
	for (uint32_t i = skip; i < row->nframes && n < PROFILE_DEPTH; i++) {
		const struct profile_frame *frame =
			&stacks->names->frames[row->frames[i]];

		frames[n++] = profile_frame(profile, frame->name, frame->length,
					    frame->object, frame->object_length,
					    frame->kind);
	}
	profile_add(profile, frames, n, weight_of(row));
}

/* What a weight is: as the user says, or as the functions tell. */
static void set_unit(const struct stacks *stacks, struct profile *profile)
{
	const char *unit = option_text(stacks->options, OPTION_UNIT);

	for (size_t i = 0; !unit && i < stacks->origins.count; i++) {
		const struct origin *origin = vec_at(&stacks->origins, i,
						     const struct origin);

		unit = origin->aggregate->number &&
				       strcmp(origin->function, "count")
			       ? origin->function
			       : "events";
	}
	if (unit)
		profile_set_unit(profile, unit);
}

static void set_texts(const struct stacks *stacks, struct profile *profile,
		      const struct stacks_group *group)
{
	const char *title = option_text(stacks->options, OPTION_TITLE);
	struct text text = { 0 };

	text_puts(&text, title ? title : "");
	if (group)
		text_printf(&text, "%s%s", title ? ": " : "", group->name);
	if (text.n)
		profile_set_title(profile, text_str(&text));
	text_clear(&text);
	text_puts(&text, text_str(&stacks->subtitle));
	if (stacks->end > stacks->begin)
		text_printf(&text, ", %.1f s",
			    (double)(stacks->end - stacks->begin) / 1e9);
	profile_set_subtitle(profile, text_str(&text));
	text_free(&text);
	if (stacks->drops)
		profile_note(profile, "%llu drops: not everything is here",
			     (unsigned long long)stacks->drops);
}

struct profile *stacks_profile(struct sink *sink,
			       const struct stacks_group *group)
{
	const struct stacks *stacks = self(sink);
	struct profile *profile = profile_new();

	for (size_t i = 0; i < stacks->rows.count; i++) {
		const struct row *row = vec_at(&stacks->rows, i,
					       const struct row);

		if (weight_of(row) &&
		    (!group ||
		     (row->has_group && row->frames[0] == group->frame)))
			add_row(stacks, profile, row, group);
	}
	set_unit(stacks, profile);
	set_texts(stacks, profile, group);
	return profile;
}

static int compare_groups(const void *a, const void *b)
{
	const struct stacks_group *x = a, *y = b;
	int order = (y->weight > x->weight) - (y->weight < x->weight);

	return order ? order : strcmp(x->name, y->name);
}

const struct stacks_group *stacks_groups(struct sink *sink, uint32_t *count)
{
	struct stacks *stacks = self(sink);
	/* by frame: the number of its group, from 1 */
	uint32_t *numbers =
		must_alloc(checked_mul((size_t)stacks->names->nframes + 1,
				       sizeof(*numbers)));

	stacks->groups = must_realloc(stacks->groups,
				      checked_mul(stacks->rows.count + 1,
						  sizeof(*stacks->groups)));
	stacks->ngroups = 0;
	for (size_t i = 0; i < stacks->rows.count; i++) {
		const struct row *row = vec_at(&stacks->rows, i,
					       const struct row);

		if (!row->has_group || weight_of(row) <= 0)
			continue;
		uint32_t *number = &numbers[row->frames[0]];

		if (!*number) {
			*number = ++stacks->ngroups;
			stacks->groups[*number - 1] = (struct stacks_group){
				.frame = row->frames[0],
			};
		}
		stacks->groups[*number - 1].weight += weight_of(row);
	}
	free(numbers);
	for (uint32_t i = 0; i < stacks->ngroups; i++)
		stacks->groups[i].name =
			stacks->names->frames[stacks->groups[i].frame].name;
	qsort(stacks->groups, stacks->ngroups, sizeof(*stacks->groups),
	      compare_groups);
	*count = stacks->ngroups;
	return stacks->groups;
}
