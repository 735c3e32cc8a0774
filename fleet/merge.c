/* SPDX-License-Identifier: Apache-2.0 */
/* Messages become columns; fleet/merge.h has the law. */
#include "fleet/merge_internal.h"

#include <stdlib.h>
#include <sys/random.h>

#include "agg/agg.h"

enum {
	MOST_AGGREGATIONS = 256, MOST_BLOCKS = 1024, MOST_RUNS = 32,
	MOST_COLUMNS = 1024, WINDOW = 1024, MOST_STACKS = 1 << 18,
	STACK_BYTES = 64 << 20,
};
static const uint64_t SECOND = 1000000000, PAST = 900, FUTURE = 120;

/* ------------------------------------------------------ who has told what */

/* Sequence numbers that came: all below `next`, and some of those after it. */
struct merge_run {
	uint64_t run, next;
	uint64_t ahead[WINDOW / 64]; /* by number modulo WINDOW */
	uint64_t status[STATUS_COUNT];
};

static bool is_ahead(const struct merge_run *run, uint64_t n)
{
	return run->ahead[n % WINDOW / 64] >> n % 64 & 1;
}

/* False: it was there, or is so far behind that it must have been. */
static bool take_number(struct merge_run *run, uint64_t n)
{
	if (n < run->next || (n < run->next + WINDOW && is_ahead(run, n)))
		return false;
	/* gaps that are too old are given up */
	for (; n >= run->next + WINDOW; run->next++) {
		if (n - run->next > 2 * WINDOW) {
			memset(run->ahead, 0, sizeof(run->ahead));
			run->next = n - WINDOW;
		}
		run->ahead[run->next % WINDOW / 64] &= ~(1ull
							 << run->next % 64);
	}
	run->ahead[n % WINDOW / 64] |= 1ull << n % 64;
	for (; is_ahead(run, run->next); run->next++)
		run->ahead[run->next % WINDOW / 64] &= ~(1ull
							 << run->next % 64);
	return true;
}

static struct merge_run *run_of(struct merge_source *source, uint64_t number)
{
	for (uint32_t i = 0; i < source->nruns; i++)
		if (source->runs[i].run == number)
			return &source->runs[i];
	/* runs are named by when they began: those before are forgotten ones */
	if (number <= source->forgotten)
		return NULL;
	if (source->nruns == MOST_RUNS) {
		if (source->runs[0].run > source->forgotten)
			source->forgotten = source->runs[0].run;
		memmove(source->runs, source->runs + 1,
			--source->nruns * sizeof(*source->runs));
	}
	source->runs = must_realloc(source->runs, (source->nruns +
						   1) * sizeof(*source->runs));
	struct merge_run *run = &source->runs[source->nruns++];

	*run = (struct merge_run){ .run = number };
	return run;
}

struct merge_source *merge_source(struct merge *merge, const char *host)
{
	struct merge_source *source = table_get(&merge->sources, str_of(host));

	if (source || merge->sources.count >= merge->setup.most_hosts)
		return source;
	source = must_alloc(sizeof(*source));
	source->host = must_strdup(host);
	table_put(&merge->sources, str_of(source->host), source);
	return source;
}

struct merge_source *merge_next_source(struct merge *merge,
				       const struct merge_source *after)
{
	uint32_t i = 0;

	if (!after)
		merge->walk = 0;
	i = merge->walk++;
	return i < merge->sources.count ? merge->sources.entries[i].value
					: NULL;
}

/* -------------------------------------------------------------- elements */

/*
 * Every bit of a key changes every bit of its hash, and nobody outside knows the
 * seed: keys that all fall into one bucket would keep a head from its work.
 */
static uint64_t mix(uint64_t hash)
{
	hash ^= hash >> 33;
	hash *= 0xff51afd7ed558ccdull;
	hash ^= hash >> 33;
	hash *= 0xc4ceb9fe1a85ec53ull;
	return hash ^ hash >> 33;
}

static uint64_t hash_key(const struct merge *merge, uint32_t aggregation,
			 struct str key)
{
	uint64_t hash = mix(merge->seed ^ (uint64_t)aggregation << 32 ^ key.n);
	const char *at = key.p;

	for (size_t n = key.n; n;) {
		size_t here = n < 8 ? n : 8;
		uint64_t word = 0;

		memcpy(&word, at, here);
		hash = mix(hash ^ word);
		at += here;
		n -= here;
	}
	return hash;
}

static void grow_buckets(struct column *column)
{
	uint32_t n = column->nbuckets ? column->nbuckets * 2 : 64;
	struct element **buckets = must_alloc(n * sizeof(*buckets));

	for (uint32_t i = 0; i < column->count; i++) {
		struct element *element = column->elements[i];
		struct element **bucket = &buckets[element->hash % n];

		element->next = *bucket;
		*bucket = element;
	}
	free(column->buckets);
	column->buckets = buckets;
	column->nbuckets = n;
}

static struct element *find_element(const struct column *column, uint64_t hash,
				    uint32_t aggregation, struct str key)
{
	if (!column->nbuckets)
		return NULL;
	for (struct element *element = column->buckets[hash % column->nbuckets];
	     element; element = element->next)
		if (element->hash == hash &&
		    element->aggregation == aggregation &&
		    element->nkey == key.n &&
		    !memcmp(element_key(element), key.p, key.n))
			return element;
	return NULL;
}

/* Rows that a host may have in a column. */
static uint64_t share_of(const struct merge *merge,
			 const struct merge_source *source)
{
	return (uint64_t)merge->setup.most_host_rows *
	       (source->sources ? source->sources : 1);
}

static struct element *add_element(struct merge *merge, struct column *column,
				   struct merge_source *source, uint64_t hash,
				   uint32_t aggregation, struct str key)
{
	const struct schema_aggregation *layout =
		merge->schema.aggregations[aggregation];
	size_t size = sizeof(struct element) + layout->nvalues * 8 + key.n;

	/* columns of the future, or a great many of the past */
	bool is_greedy = merge->rows > merge->setup.most_rows / 2 &&
			 source->rows >= share_of(merge, source);

	if (is_greedy || merge->rows >= merge->setup.most_rows ||
	    merge->bytes + size > merge->setup.most_bytes ||
	    !message_key_is_sound(layout, key))
		return NULL;
	struct element *element = must_alloc(size);

	element->owner = source;
	element->hash = hash;
	element->aggregation = aggregation;
	element->nvalues = layout->nvalues;
	element->nkey = (uint32_t)key.n;
	for (uint32_t i = 0; i < layout->nvalues; i++)
		element->values[i] = agg_identity(layout->aggregate, i);
	memcpy(element->values + layout->nvalues, key.p, key.n);
	if (column->count == column->capacity) {
		column->capacity = column->capacity * 2 + 64;
		column->elements = must_realloc(column->elements,
						column->capacity *
							sizeof(element));
	}
	column->elements[column->count++] = element;
	source->rows++;
	merge->rows++;
	merge->bytes += size;
	if (column->count > column->nbuckets) {
		grow_buckets(column);
	} else {
		struct element **bucket =
			&column->buckets[hash % column->nbuckets];

		element->next = *bucket;
		*bucket = element;
	}
	return element;
}

void element_free(struct merge *merge, struct element *element)
{
	element->owner->rows--;
	merge->rows--;
	merge->bytes -= sizeof(*element) + element->nvalues * 8 + element->nkey;
	free(element);
}

void column_clear(struct merge *merge, struct column *column)
{
	for (uint32_t i = 0; i < column->count; i++)
		element_free(merge, column->elements[i]);
	free(column->elements);
	free(column->buckets);
	column->elements = NULL;
	column->buckets = NULL;
	column->count = column->capacity = column->nbuckets = 0;
}

struct column *column_find(const struct merge *merge, uint64_t second)
{
	for (uint32_t i = 0; i < merge->ncolumns; i++)
		if (merge->columns[i].second == second)
			return &merge->columns[i];
	return NULL;
}

static struct column *column_of(struct merge *merge, uint64_t second)
{
	struct column *column;

	if (merge->setup.is_total)
		second = 0;
	column = column_find(merge, second);
	if (column)
		return column;
	/* those that are empty are only a memory of what was shown */
	for (uint32_t i = 0;
	     i < merge->ncolumns && merge->ncolumns == MOST_COLUMNS; i++)
		if (!merge->columns[i].count)
			merge->columns[i] = merge->columns[--merge->ncolumns];
	if (merge->ncolumns == MOST_COLUMNS)
		return NULL;
	if (!merge->columns)
		merge->columns = must_alloc(MOST_COLUMNS *
					    sizeof(*merge->columns));
	column = &merge->columns[merge->ncolumns++];
	*column = (struct column){ .second = second };
	return column;
}

/* ----------------------------------------------- aggregations and stacks */

static bool is_same(const struct schema_aggregation *a,
		    const struct schema_aggregation *b, uint32_t nby)
{
	if (strcmp(a->name, b->name) || strcmp(a->function, b->function) ||
	    a->nvalues != b->nvalues || a->nkeys != b->nkeys + nby ||
	    memcmp(a->params, b->params, sizeof(a->params)) != 0)
		return false;
	for (uint32_t i = 0; i < b->nkeys; i++) {
		const struct schema_field *x = &a->keys[i + nby],
					  *y = &b->keys[i];

		if (x->kind != y->kind || x->size != y->size ||
		    x->is_signed != y->is_signed || x->symbol != y->symbol)
			return false;
	}
	return true;
}

/* Keys that say which host come before the others. */
static void add_by_keys(struct merge *merge,
			struct schema_aggregation *aggregation)
{
	uint32_t nby = merge->setup.nby, n = aggregation->nkeys + nby;
	struct schema_field *keys = arena_array_of(merge->arena,
						   struct schema_field, n + 1);
	uint32_t offset = 0;

	for (uint32_t i = 0; i < nby; i++)
		keys[i] = (struct schema_field){
			.form = FIELD_BYTES,
			.kind = FACT_STRING,
			.size = 256,
			.type = "string",
			.name = merge->setup.by[i],
		};
	memcpy(keys + nby, aggregation->keys,
	       aggregation->nkeys * sizeof(*keys));
	for (uint32_t i = 0; i < n; i++) {
		keys[i].offset = offset;
		offset += (keys[i].size + 7) & ~7u;
	}
	aggregation->keys = keys;
	aggregation->nkeys = n;
	aggregation->key_size = offset;
}

/* Our number + 1 for what a message describes; 0: there are too many. */
static uint32_t aggregation_of(struct merge *merge, struct wire *part)
{
	struct str block = { (const char *)part->at,
			     (size_t)(part->end - part->at) };
	uintptr_t known = (uintptr_t)table_get(&merge->blocks, block);
	struct schema *schema = &merge->schema;
	uint32_t i = 0;

	if (known)
		return (uint32_t)known;
	if (merge->blocks.count == MOST_BLOCKS)
		return 0;
	block.p = arena_strndup(merge->arena, block.p, block.n);
	struct schema_aggregation *aggregation =
		message_get_aggregation(part, merge->arena);

	if (!aggregation)
		return 0;
	while (i < schema->naggregations &&
	       !is_same(schema->aggregations[i], aggregation, merge->setup.nby))
		i++;
	if (i == schema->naggregations) {
		if (i == MOST_AGGREGATIONS)
			return 0;
		add_by_keys(merge, aggregation);
		aggregation->id = i;
		schema->aggregations = arena_grown(merge->arena,
						   schema->aggregations, i,
						   sizeof(aggregation));
		schema->aggregations[schema->naggregations++] = aggregation;
		merge->normals[i] = 1;
	}
	table_put(&merge->blocks, block, (void *)((uintptr_t)i + 1));
	return i + 1;
}

struct stack *stack_find(const struct merge *merge, uint64_t hash)
{
	return table_get(&merge->stacks,
			 (struct str){ (const char *)&hash, sizeof(hash) });
}

/* Whoever tells it first; that its hash is right is checked, not believed. */
static void take_stack(struct merge *merge, struct wire *part,
		       const struct wire *frames)
{
	uint64_t hash = wire_get(part);
	uint32_t count = wire_get_count(part);
	struct text all = { 0 };
	size_t n;

	if (stack_find(merge, hash))
		return;
	if (merge->stacks.count >= MOST_STACKS ||
	    merge->stack_bytes > STACK_BYTES)
		stacks_forget(merge);
	struct stack *stack = arena_new_of(merge->stacks_arena, struct stack);

	stack->hash = hash;
	stack->frames = arena_array_of(merge->stacks_arena, struct fact_frame,
				       count + 1);
	for (; stack->nframes < count; stack->nframes++) {
		struct wire frame = frames[wire_get_below(part, UINT32_MAX)];

		wire_put_bytes(&all, frame.at, (size_t)(frame.end - frame.at));
		stack->frames[stack->nframes] =
			message_get_frame(&frame, merge->stacks_arena);
	}
	const char *cut = (const char *)wire_get_bytes(part, &n);

	text_add(&all, cut, n);
	stack->cut = n ? arena_strndup(merge->stacks_arena, cut, n) : NULL;
	if (message_hash(text_str(&all), all.n) == hash)
		table_put(&merge->stacks,
			  (struct str){ (const char *)&stack->hash,
					sizeof(hash) },
			  stack);
	merge->stack_bytes += all.n + count * sizeof(struct fact_frame);
	text_free(&all);
}

void stacks_forget(struct merge *merge)
{
	table_free(&merge->stacks);
	merge->stacks = (struct table){ 0 };
	arena_free(merge->stacks_arena);
	merge->stacks_arena = arena_new();
	merge->stack_bytes = 0;
}

/* --------------------------------------------------------------- merging */

/* A host's share of a column: rows, or of a total: keys that it brought. */
static bool take_share(const struct merge *merge, struct merge_source *source,
		       uint64_t second)
{
	uint32_t i = (uint32_t)(second % 8);

	if (source->share[i].second != second) {
		source->share[i].second = second;
		source->share[i].rows = 0;
	}
	return source->share[i].rows++ < share_of(merge, source);
}

/* Where the row is merged; NULL: it is one too many. */
static struct element *need_element(struct merge *merge, struct column *column,
				    struct merge_source *source,
				    uint32_t aggregation, struct str key)
{
	uint64_t hash = hash_key(merge, aggregation, key);
	bool is_total = merge->setup.is_total;

	if (!is_total && !take_share(merge, source, column->second))
		return NULL;
	struct element *element = find_element(column, hash, aggregation, key);

	if (element || (is_total && !take_share(merge, source, 0)))
		return element;
	return add_element(merge, column, source, hash, aggregation, key);
}

static void merge_values(const struct schema_aggregation *layout,
			 struct wire *rows, int64_t *into)
{
	int64_t plain[MESSAGE_PLAIN];

	if (!message_is_sparse(layout->nvalues)) {
		for (uint32_t i = 0; i < layout->nvalues; i++)
			plain[i] = wire_get_signed(rows);
		if (into)
			layout->aggregate->merge(into, plain, layout->nvalues);
		return;
	}
	/* only histograms are that long, and they are merged word by word */
	uint32_t count = wire_get_count(rows);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t bucket = wire_get_below(rows, layout->nvalues);
		int64_t value = wire_get_signed(rows);

		if (into)
			layout->aggregate->merge(&into[bucket], &value, 1);
	}
}

/* The key with what comes before it. */
static struct str whole_key(struct merge *merge, struct str key)
{
	if (!merge->setup.nby)
		return key;
	merge->key.n = merge->nby_key;
	text_add(&merge->key, key.p, key.n);
	return (struct str){ text_str(&merge->key), merge->key.n };
}

static void begin_key(struct merge *merge, const char *host)
{
	text_clear(&merge->key);
	for (uint32_t i = 0; i < merge->setup.nby; i++) {
		const char *word = merge->setup.word(merge->setup.context, host,
						     merge->setup.by[i]);

		wire_put_bytes(&merge->key, word, strlen(word));
	}
	merge->nby_key = merge->key.n;
}

static void add_rows(struct merge *merge, struct merge_source *source,
		     struct wire *part, const uint32_t *numbers)
{
	struct message_rows rows = message_get_rows(part);
	uint32_t number = numbers[rows.aggregation];

	if (!number--) {
		source->rows_lost += rows.count;
		merge->rows_lost += rows.count;
		return;
	}
	const struct schema_aggregation *layout =
		merge->schema.aggregations[number];
	struct column *column = column_of(merge, rows.second);

	merge->normals[number] = rows.normal;
	if (column && rows.to > column->to)
		column->to = rows.to;
	if (column && (!column->from || rows.from < column->from))
		column->from = rows.from;
	for (uint32_t i = 0; i < rows.count; i++) {
		struct str key = whole_key(merge, message_get_key(&rows.rows));
		struct element *element = column ? need_element(merge, column,
								source, number,
								key)
						 : NULL;

		if (!element) {
			source->rows_lost++;
			merge->rows_lost++;
		}
		merge_values(layout, &rows.rows,
			     element ? element->values : NULL);
	}
}

/* Totals of the run replace those that it told before, if they are later. */
static void take_status(struct merge_source *source, struct merge_run *run,
			struct wire *part)
{
	uint64_t totals[STATUS_COUNT] = { 0 };

	message_get_status(part, totals);
	for (int i = 0; i < STATUS_COUNT; i++) {
		bool is_level = i == STATUS_KERNEL_BYTES ||
				i == STATUS_RSS_BYTES;

		if (is_level) {
			source->status[i] = totals[i];
		} else if (totals[i] > run->status[i]) {
			source->status[i] += totals[i] - run->status[i];
			run->status[i] = totals[i];
		}
	}
}

static void add_parts(struct merge *merge, struct merge_source *source,
		      struct merge_run *run, struct message *message)
{
	uint32_t numbers[MOST_AGGREGATIONS], nnumbers = 0;
	struct wire *frames = NULL;
	uint32_t nframes = 0, capacity = 0;
	enum message_part type;
	struct wire part;

	while (message_next(message, &type, &part)) {
		struct message_line line;
		struct message_loss loss;
		struct message_end end;

		switch (type) {
		case PART_AGGREGATION:
			numbers[nnumbers++] = aggregation_of(merge, &part);
			break;
		case PART_FRAME:
			if (nframes == capacity) {
				capacity = capacity * 2 + 64;
				frames = must_realloc(frames,
						      capacity *
							      sizeof(*frames));
			}
			frames[nframes++] = part;
			break;
		case PART_STACK:
			take_stack(merge, &part, frames);
			break;
		case PART_ROWS:
			add_rows(merge, source, &part, numbers);
			break;
		case PART_LINE:
			line = message_get_line(&part);
			if (merge->setup.line)
				merge->setup.line(merge->setup.context, source,
						  &line);
			break;
		case PART_DROP:
		case PART_FAULT:
			loss = message_get_loss(&part);
			if (merge->setup.loss)
				merge->setup.loss(merge->setup.context, source,
						  type, &loss);
			break;
		case PART_STATUS:
			take_status(source, run, &part);
			break;
		case PART_END:
			end = message_get_end(&part);
			source->is_ended = true;
			if (merge->setup.end)
				merge->setup.end(merge->setup.context, source,
						 &end);
			break;
		}
	}
	free(frames);
}

/* Are all rows of a time that can be? */
static bool is_timely(struct message message, uint64_t now)
{
	enum message_part type;
	struct wire part;
	uint64_t second = now / SECOND;

	while (now && message_next(&message, &type, &part)) {
		if (type != PART_ROWS)
			continue;
		struct message_rows rows = message_get_rows(&part);

		if (rows.second + PAST < second ||
		    rows.second > second + FUTURE)
			return false;
	}
	return true;
}

enum merge_result merge_add(struct merge *merge, const char *host,
			    const void *bytes, size_t n, uint64_t now)
{
	struct message message;
	struct merge_source *source = merge_source(merge, host);

	if (!source)
		return MERGE_REFUSED;
	if (!message_open(&message, bytes, n)) {
		source->bad++;
		return MERGE_BAD;
	}
	if (!str_is(message.host, host) ||
	    !str_is(message.instrumentation, merge->setup.instrumentation))
		return MERGE_FOREIGN;
	struct merge_run *run = run_of(source, message.run);

	if (!run)
		return MERGE_REFUSED;
	if (message.sequence < run->next ||
	    (message.sequence < run->next + WINDOW &&
	     is_ahead(run, message.sequence))) {
		source->repeated++;
		return MERGE_REPEATED;
	}
	if (!message_check(&message)) {
		source->bad++;
		return MERGE_BAD;
	}
	if (!is_timely(message, now))
		return MERGE_REFUSED;
	take_number(run, message.sequence);
	source->messages++;
	source->bytes += n;
	/* a later run that reports has not ended */
	source->is_ended = source->is_ended &&
			   run != &source->runs[source->nruns - 1];
	uint64_t most = merge->setup.most_sources ? merge->setup.most_sources
						  : 1;

	if (message.sources)
		source->sources = (uint32_t)(message.sources < most
						     ? message.sources
						     : most);
	begin_key(merge, host);
	add_parts(merge, source, run, &message);
	if (message.through > source->through)
		source->through = message.through;
	return MERGE_ADDED;
}

/* ---------------------------------------------------------------- public */

struct merge *merge_new(const struct merge_setup *setup)
{
	struct merge *merge = must_alloc(sizeof(*merge));

	merge->setup = *setup;
	if (getrandom(&merge->seed, sizeof(merge->seed), 0) < 0)
		merge->seed = (uint64_t)(uintptr_t)merge;
	merge->arena = arena_new();
	merge->stacks_arena = arena_new();
	merge->normals = must_alloc(MOST_AGGREGATIONS * sizeof(uint64_t));
	merge_show_init(merge);
	return merge;
}

void merge_free(struct merge *merge)
{
	for (uint32_t i = 0; i < merge->ncolumns; i++)
		column_clear(merge, &merge->columns[i]);
	free(merge->columns);
	for (uint32_t i = 0; i < merge->sources.count; i++) {
		struct merge_source *source = merge->sources.entries[i].value;

		free(source->runs);
		free(source->host);
		free(source);
	}
	table_free(&merge->sources);
	table_free(&merge->blocks);
	table_free(&merge->stacks);
	text_free(&merge->key);
	free(merge->normals);
	arena_free(merge->stacks_arena);
	arena_free(merge->arena);
	free(merge);
}

const struct schema *merge_schema(const struct merge *merge)
{
	return &merge->schema;
}

const struct resolver *merge_resolver(const struct merge *merge)
{
	return &merge->resolver;
}

void merge_set_clauses(struct merge *merge, struct schema_clause **clauses,
		       uint32_t n)
{
	merge->schema.clauses = clauses;
	merge->schema.nclauses = n;
}

uint64_t merge_rows_lost(const struct merge *merge)
{
	return merge->rows_lost;
}

uint64_t merge_bytes(const struct merge *merge)
{
	return merge->bytes;
}
