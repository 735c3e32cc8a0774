/* SPDX-License-Identifier: Apache-2.0 */
/* The store as a sink: facts become keys, rows and lines.  See store.h. */
#include "live/store.h"

#include <stdio.h>
#include <stdlib.h>

#include "agg/agg.h"
#include "sink/json_text.h"

enum { MOST_LINE = 16 << 10, MOST_SETS = 64, MOST_WORD = 4096 };

const struct store_limits store_limits = {
	.columns = 600,
	.keys = 2048,
	.nodes = 200000,
	.rows = 20000,
	.lines = 5000,
	.line_bytes = 4 << 20,
};

static struct store *self(struct sink *sink)
{
	return (struct store *)sink;
}

/* ------------------------------------------------------------------- sets */

static bool has_stack(const struct schema_aggregation *aggregation)
{
	for (uint32_t i = 0; i < aggregation->nkeys; i++)
		if (aggregation->keys[i].kind == FACT_STACK)
			return true;
	return false;
}

static void name_keys(struct store_set *set,
		      const struct schema_aggregation *aggregation)
{
	set->key_names = must_alloc((aggregation->nkeys + 1) * sizeof(char *));
	for (uint32_t i = 0; i < aggregation->nkeys; i++) {
		const struct schema_field *key = &aggregation->keys[i];
		char name[32];

		if (key->kind == FACT_STACK)
			continue;
		snprintf(name, sizeof(name), "key %u", i + 1);
		set->key_names[set->nkey_names++] =
			must_strdup(key->name ? key->name : name);
	}
}

struct store_set *store_set_of(struct store *store,
			       const struct schema_aggregation *aggregation)
{
	for (uint32_t i = 0; i < store->nsets; i++)
		if (store->sets[i]->id == aggregation->id)
			return store->sets[i];
	if (store->nsets == MOST_SETS)
		return NULL;
	struct store_set *set = must_alloc(sizeof(*set));
	const struct aggregate *aggregate = aggregation->aggregate;

	set->id = aggregation->id;
	/* as in D: @[execname] has no name of its own */
	set->name = must_strdup(aggregation->name && strcmp(aggregation->name, "_")
					? aggregation->name
					: "");
	set->function = must_strdup(aggregation->function);
	set->aggregate = aggregate;
	set->nvalues = aggregation->nvalues;
	memcpy(set->params, aggregation->params, sizeof(set->params));
	set->kind = aggregate->range ? STORE_HISTOGRAM : STORE_SCALAR;
	set->is_additive = aggregate->merge == agg_merge_add &&
			   (aggregate->range || set->nvalues == 1);
	set->has_stacks = has_stack(aggregation);
	name_keys(set, aggregation);
	set->columns = must_alloc(store->limits.columns *
				  sizeof(*set->columns));
	store->bytes += sizeof(*set) +
			store->limits.columns * sizeof(*set->columns);
	store->sets = must_realloc(store->sets,
				   (store->nsets + 1) * sizeof(set));
	store->sets[store->nsets++] = set;
	if (set->nvalues > store->dense_size) {
		store->dense_size = set->nvalues;
		store->dense = must_realloc(store->dense, set->nvalues *
								  sizeof(int64_t));
	}
	store->has_new_set = true;
	return set;
}

/* ------------------------------------------------------------------- keys */

static void tell_key(struct store_set *set, uint32_t number)
{
	if (set->nfresh == set->fresh_capacity) {
		set->fresh_capacity = set->fresh_capacity * 2 + 16;
		set->fresh = must_realloc(set->fresh, set->fresh_capacity *
							      sizeof(uint32_t));
	}
	set->fresh[set->nfresh++] = number;
}

/*
 * The table has no way to take a key out: it is made again of those that are
 * left, which happens once for each round through the numbers.
 */
static void forget_unused(struct store *store, struct store_set *set)
{
	struct table kept = { 0 };

	for (uint32_t i = 0; i < set->nkeys; i++) {
		struct store_key *key = &set->keys[i];

		if (!key->uses && key->bytes) {
			store->bytes -= key->nbytes + strlen(key->words);
			free(key->bytes);
			free(key->words);
			*key = (struct store_key){ 0 };
		}
		if (key->bytes)
			table_put(&kept,
				  (struct str){ key->bytes, key->nbytes },
				  (void *)((uintptr_t)i + 1));
	}
	table_free(&set->by_words);
	set->by_words = kept;
	set->next_reuse = 0;
	set->has_unused = false;
}

static uint32_t push_key(struct store *store, struct store_set *set)
{
	if (set->nkeys == set->keys_capacity) {
		set->keys_capacity = set->keys_capacity * 2 + 16;
		set->keys = must_realloc(set->keys, set->keys_capacity *
							    sizeof(*set->keys));
	}
	store->bytes += sizeof(*set->keys);
	set->keys[set->nkeys] = (struct store_key){ 0 };
	return set->nkeys++;
}

/* A number for a new key, or UINT32_MAX. */
static uint32_t new_number(struct store *store, struct store_set *set)
{
	if (set->nkeys < store->limits.keys)
		return push_key(store, set);
	for (int turn = 0; turn < 2; turn++) {
		for (; set->next_reuse < set->nkeys; set->next_reuse++)
			if (!set->keys[set->next_reuse].bytes)
				return set->next_reuse++;
		/* in vain it would be dear: once for each key that is lost */
		if (turn || !set->has_unused)
			break;
		forget_unused(store, set);
	}
	return UINT32_MAX;
}

/* Takes both texts: what the key is found by, and its words. */
static void keep_key(struct store *store, struct store_set *set, uint32_t place,
		     struct text *bytes, struct text *json)
{
	struct store_key *key = &set->keys[place];

	*key = (struct store_key){
		.words = json->p,
		.bytes = bytes->p,
		.nbytes = (uint32_t)bytes->n,
	};
	store->bytes += key->nbytes + json->n;
	table_put(&set->by_words, (struct str){ key->bytes, key->nbytes },
		  (void *)((uintptr_t)place + 1));
	tell_key(set, place);
}

/* One more number stands for all keys that have none. */
static uint32_t others(struct store *store, struct store_set *set)
{
	uintptr_t number = (uintptr_t)table_get(&set->by_words, STR("others"));

	if (number)
		return (uint32_t)number - 1;
	struct text bytes = { 0 }, json = { 0 };
	uint32_t place = push_key(store, set);

	text_puts(&bytes, "others");
	text_puts(&json, "[\"(others)\"]");
	keep_key(store, set, place, &bytes, &json);
	return place;
}

uint32_t store_key(struct store *store, struct store_set *set,
		   const struct str *words, uint32_t nwords)
{
	struct text bytes = { 0 }, json = { 0 };

	for (uint32_t i = 0; i < nwords; i++) {
		text_put_number(&bytes, words[i].n);
		text_putc(&bytes, ':');
		text_add(&bytes, words[i].p, words[i].n);
	}
	text_add(&bytes, "", 0);
	struct str found = { bytes.p, bytes.n };
	uintptr_t number = (uintptr_t)table_get(&set->by_words, found);

	if (number) {
		text_free(&bytes);
		return (uint32_t)number - 1;
	}
	uint32_t place = new_number(store, set);

	if (place == UINT32_MAX) {
		store->keys_lost++;
		text_free(&bytes);
		return others(store, set);
	}
	text_putc(&json, '[');
	for (uint32_t i = 0; i < nwords; i++) {
		if (i)
			text_putc(&json, ',');
		json_put_string(&json, words[i].p, words[i].n);
	}
	text_putc(&json, ']');
	keep_key(store, set, place, &bytes, &json);
	return place;
}

static uint32_t key_of(struct store *store, struct store_set *set,
		       const struct fact_row *row)
{
	uint32_t n = 0;
	struct str *words = must_alloc((set->nkey_names + 1) * sizeof(*words));
	struct text *texts = must_alloc((set->nkey_names + 1) * sizeof(*texts));

	for (uint32_t i = 0; i < row->nkeys && n < set->nkey_names; i++) {
		if (row->keys[i].kind == FACT_STACK)
			continue;
		render_word(&store->renderer, &row->keys[i], MOST_WORD,
			    &texts[n]);
		words[n] = (struct str){ text_str(&texts[n]), texts[n].n };
		n++;
	}
	uint32_t number = store_key(store, set, words, n);

	for (uint32_t i = 0; i < n; i++)
		text_free(&texts[i]);
	free(texts);
	free(words);
	return number;
}

/* ----------------------------------------------------------------- stacks */

/* The path of a node in another tree. */
static uint32_t carry(struct profile *into, const struct profile *from,
		      uint32_t node, struct frame_list *path)
{
	path->count = 0;
	for (; node; node = from->nodes[node].parent) {
		const struct profile_frame *frame = profile_frame_of(from, node);

		frame_list_push(path,
				profile_frame(into, frame->name, frame->length,
					      frame->object,
					      frame->object_length,
					      frame->kind));
	}
	for (uint32_t i = 0; i < path->count / 2; i++) {
		uint32_t swap = path->frames[i];

		path->frames[i] = path->frames[path->count - 1 - i];
		path->frames[path->count - 1 - i] = swap;
	}
	return profile_place(into, path->frames, path->count);
}

/* The tree is full: it is made again, of what kept columns have. */
static void renew_tree(struct store *store)
{
	struct profile *old = store->tree, *tree = profile_new();
	struct frame_list path = { .names = tree };
	uint32_t *places = must_alloc(old->nnodes * sizeof(*places));

	for (uint32_t s = 0; s < store->nsets; s++) {
		struct store_set *set = store->sets[s];

		for (uint32_t c = 0; c < store->limits.columns; c++) {
			struct store_column *column = &set->columns[c];
			uint32_t at = 0;

			while (column->is_kept && at < column->nwords) {
				uint64_t head = (uint64_t)column->words[at];
				uint32_t node = (uint32_t)head;

				if (node && node < old->nnodes) {
					if (!places[node])
						places[node] = carry(
							tree, old, node, &path);
					column->words[at] =
						(int64_t)((head >> 32 << 32) |
							  places[node]);
				}
				at += 2 + (uint32_t)column->words[at + 1];
			}
		}
	}
	frame_list_free(&path);
	free(places);
	profile_free(old);
	store->tree = tree;
	store->frames.names = tree;
	store->sent_frames = store->sent_nodes = 0;
}

static uint32_t node_of(struct store *store, const struct fact_row *row)
{
	if (store->tree->nnodes >= store->limits.nodes) {
		store->stacks_lost++;
		return 0;
	}
	store->frames.count = 0;
	frame_list_push_stacks(&store->frames, row->keys, row->nkeys);
	return profile_place(store->tree, store->frames.frames,
			     store->frames.count);
}

/* -------------------------------------------------------------- snapshots */

/* A time of the wall clock in ms; what a damaged recording claims is bounded. */
static int64_t time_of(uint64_t ns)
{
	return (int64_t)(ns < INT64_MAX / 4 ? ns : INT64_MAX / 4) / 1000000;
}

static bool take_snapshot(struct sink *sink,
			  const struct fact_snapshot *snapshot)
{
	struct store *store = self(sink);
	const struct fact_table *table = snapshot->table;
	struct store_set *set = store_set_of(store, table->aggregations[0]);
	/* taken a moment after the interval: the middle says which it was */
	int64_t t = time_of(snapshot->from +
			    (snapshot->to - snapshot->from) / 2) /
		    store->interval * store->interval;

	if (!set) {
		store->columns_lost++;
		return true;
	}
	if (set->has_stacks && store->tree->nnodes >= store->limits.nodes)
		renew_tree(store);
	store_begin_column(store, set, t);
	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		uint32_t node = set->has_stacks ? node_of(store, &row) : 0;

		if (!store_add(store, set, t, key_of(store, set, &row), node,
			       row.values[0])) {
			store->columns_lost++;
			break;
		}
	}
	if (t > store->newest)
		store->newest = t;
	return true;
}

/* -------------------------------------------------------------------- log */

static void drop_line(struct store *store)
{
	struct store_line *line = &store->lines[store->first_line];

	store->line_bytes -= line->n;
	store->bytes -= line->n;
	free(line->json);
	*line = (struct store_line){ 0 };
	store->first_line = (store->first_line + 1) % store->limits.lines;
	store->nlines--;
	if (store->new_lines > store->nlines)
		store->new_lines = store->nlines;
}

/* Takes the text. */
static void add_line(struct store *store, int64_t t, struct text *json)
{
	while (store->nlines &&
	       (store->nlines == store->limits.lines ||
		store->line_bytes + json->n > store->limits.line_bytes)) {
		drop_line(store);
		store->log_lost++;
	}
	uint32_t place = (store->first_line + store->nlines) %
			 store->limits.lines;

	store->lines[place] = (struct store_line){
		.t = t,
		.json = json->p,
		.n = (uint32_t)json->n,
	};
	store->line_bytes += json->n;
	store->bytes += json->n;
	store->nlines++;
	store->new_lines++;
	if (t / 1000 > store->newest)
		store->newest = t / 1000;
	*json = (struct text){ 0 };
}

static int64_t wall_us(const struct store *store, uint64_t stamp)
{
	return (int64_t)((uint64_t)store->wall + stamp) / 1000;
}

static void put_text(struct text *out, const struct text *text)
{
	size_t n = text->n < MOST_LINE ? text->n : MOST_LINE;

	json_put_string(out, text_str(text), n);
	if (n < text->n)
		text_puts(out, ",\"cut\":true");
}

static bool begin_record(struct sink *sink, const struct fact_record *record)
{
	struct store *store = self(sink);

	text_clear(&store->line);
	text_clear(&store->values);
	store->has_text = record->clause->is_empty_clause;
	return true;
}

static bool take_action(struct sink *sink, const struct fact_record *record,
			const struct fact_action *action)
{
	struct store *store = self(sink);
	size_t before = store->line.n;

	(void)record;
	if (action->action->rule <= RULE_SILENT || store->line.n > MOST_LINE)
		return true;
	render_action(&store->renderer, action, &store->line);
	store->has_text |= store->line.n > before;
	for (uint32_t i = 0; i < action->action->nfields; i++) {
		if (store->values.n > MOST_LINE)
			break;
		if (store->values.n)
			text_putc(&store->values, ',');
		json_value(&store->renderer, &action->values[i],
			   &store->values);
	}
	return true;
}

static void put_probe(struct text *json, const struct fact_probe *probe)
{
	struct text name = { 0 };

	text_printf(&name, "%s:%s:%s:%s", probe->provider, probe->module,
		    probe->function, probe->name);
	json_put_string(json, text_str(&name), name.n);
	text_free(&name);
}

/* us as ms; a damaged wire may have times before 1970. */
static void put_time(struct text *json, int64_t t)
{
	uint64_t size = t < 0 ? -(uint64_t)t : (uint64_t)t;

	text_printf(json, "{\"t\":%s%llu.%03llu", t < 0 ? "-" : "",
		    (unsigned long long)(size / 1000),
		    (unsigned long long)(size % 1000));
}

static bool end_record(struct sink *sink, const struct fact_record *record)
{
	struct store *store = self(sink);
	struct text json = { 0 };
	int64_t t = wall_us(store, record->stamp);

	if (!store->has_text)
		return true;
	put_time(&json, t);
	text_printf(&json, ",\"cpu\":%u,\"probe\":", record->cpu);
	put_probe(&json, record->probe);
	text_puts(&json, ",\"text\":");
	put_text(&json, &store->line);
	text_printf(&json, ",\"values\":[%s]}",
		    store->values.n > MOST_LINE ? "" : text_str(&store->values));
	add_line(store, t, &json);
	return true;
}

/* ------------------------------------------------------------ other facts */

static bool take_start(struct sink *sink, const struct fact_start *start)
{
	struct store *store = self(sink);

	store->wall = (int64_t)(start->wall - start->stamp);
	store->host = must_strdup(start->host ? start->host : "");
	store->newest = time_of(start->wall);
	return true;
}

static bool take_drop(struct sink *sink, const struct fact_drop *drop)
{
	self(sink)->drops += drop->count;
	return true;
}

static bool take_fault(struct sink *sink, const struct fact_fault *fault)
{
	struct store *store = self(sink);
	struct text json = { 0 };
	int64_t t = wall_us(store, fault->stamp);

	store->faults++;
	put_time(&json, t);
	text_puts(&json, ",\"cpu\":null,\"probe\":");
	if (fault->probe)
		put_probe(&json, fault->probe);
	else
		text_puts(&json, "null");
	text_puts(&json, ",\"text\":");
	json_put_string(&json, fault->text, strlen(fault->text));
	text_puts(&json, ",\"values\":[],\"fault\":true}");
	add_line(store, t, &json);
	return true;
}

static void take_end(struct sink *sink, const struct fact_end *end)
{
	self(sink)->has_end = true;
	self(sink)->status = end->has_status ? end->status : 0;
}

/* What has come stays; the resolver is gone. */
static void close_sink(struct sink *sink)
{
	self(sink)->renderer.resolver = NULL;
	self(sink)->frames.resolver = NULL;
}

static const struct sink_class store_class = {
	.name = "store",
	.close = close_sink,
	.start = take_start,
	.record = begin_record,
	.action = take_action,
	.done = end_record,
	.snapshot = take_snapshot,
	.drop = take_drop,
	.fault = take_fault,
	.end = take_end,
};

/* ---------------------------------------------------------- short of memory */

void store_tidy(struct store *store)
{
	for (uint32_t s = 0; s < store->nsets; s++)
		forget_unused(store, store->sets[s]);
}

void store_shrink(struct store *store)
{
	store_tidy(store);
	if (store->tree->nnodes > 1)
		renew_tree(store);
	for (uint32_t n = (store->nlines + 1) / 2; n; n--) {
		drop_line(store);
		store->log_lost++;
	}
}

/* ------------------------------------------------------------------- life */

struct store *store_new(const struct options *options, int64_t interval,
			const struct store_limits *limits)
{
	struct store *store = must_alloc(sizeof(*store));

	store->sink.class = &store_class;
	store->options = options;
	store->limits = *limits;
	store->interval = interval;
	store->renderer = (struct renderer){
		.options = options,
		.is_quiet = true,
	};
	store->tree = profile_new();
	store->frames.names = store->tree;
	store->frames.options = options;
	store->lines = must_alloc(limits->lines * sizeof(*store->lines));
	store->bytes = sizeof(*store) + limits->lines * sizeof(*store->lines);
	return store;
}

struct sink *store_open(struct store *store, const struct resolver *resolver,
			uint32_t target)
{
	store->renderer.resolver = resolver;
	store->renderer.target = target;
	store->frames.resolver = resolver;
	return &store->sink;
}

static void free_set(struct store *store, struct store_set *set)
{
	for (uint32_t i = 0; i < store->limits.columns; i++)
		free(set->columns[i].words);
	for (uint32_t i = 0; i < set->nkeys; i++) {
		free(set->keys[i].words);
		free(set->keys[i].bytes);
	}
	for (uint32_t i = 0; i < set->nkey_names; i++)
		free(set->key_names[i]);
	table_free(&set->by_words);
	free(set->key_names);
	free(set->keys);
	free(set->fresh);
	free(set->columns);
	free(set->name);
	free(set->function);
	free(set);
}

void store_free(struct store *store)
{
	if (!store)
		return;
	for (uint32_t i = 0; i < store->nsets; i++)
		free_set(store, store->sets[i]);
	while (store->nlines)
		drop_line(store);
	free(store->sets);
	free(store->lines);
	free(store->host);
	free(store->index);
	free(store->dense);
	text_free(&store->line);
	text_free(&store->values);
	frame_list_free(&store->frames);
	profile_free(store->tree);
	free(store);
}
