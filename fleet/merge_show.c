/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns become facts: snapshots for a live page, tables for a terminal.
 *
 * Keys are read only here.  Symbols and stacks have no addresses that would
 * mean anything; sinks get the hash of their names instead, and a resolver that
 * knows the names of the row at hand.
 */
#include <stdlib.h>

#include "agg/agg.h"
#include "base/clock.h"
#include "fleet/merge_internal.h"

/* A table that is being shown. */
struct shown {
	struct fact_table fact;
	const struct schema_aggregation *aggregation;
	uint64_t normal;
	struct element **rows;
	/* the row at hand */
	struct arena *arena;
	uint32_t nread;
	struct fact_value *keys;
	struct fact_frame *frames;
	const int64_t *values[1];
	struct merge *merge;
};

/* ----------------------------------------------------------------- names */

static uint64_t number_in(const struct fact_value *value)
{
	return fact_word(value, value->size > 8);
}

static void find_address(void *context, bool is_user, uint32_t pid,
			 uint64_t address, struct fact_frame *frame)
{
	const struct merge *merge = context;
	const struct shown *shown = merge->shown;

	(void)pid;
	*frame = (struct fact_frame){
		.kind = is_user ? FRAME_USER : FRAME_KERNEL,
		.address = address,
	};
	for (uint32_t i = 0; shown && i < shown->aggregation->nkeys; i++)
		if (shown->keys[i].kind == FACT_SYMBOL &&
		    number_in(&shown->keys[i]) == address) {
			*frame = shown->frames[i];
			return;
		}
}

static const char *find_stack(void *context, const struct fact_value *value,
			      frame_visit *visit, void *data)
{
	const struct merge *merge = context;
	const struct stack *stack = stack_find(merge, number_in(value));

	if (!stack)
		return "its frames did not arrive";
	for (uint32_t i = 0; i < stack->nframes; i++)
		visit(data, &stack->frames[i]);
	return stack->cut;
}

void merge_show_init(struct merge *merge)
{
	merge->resolver = (struct resolver){
		.context = merge,
		.address = find_address,
		.stack = find_stack,
	};
}

/* ------------------------------------------------------------------ rows */

static void show_row(const struct fact_table *table, uint32_t i,
		     struct fact_row *row)
{
	struct shown *shown = (struct shown *)table;
	const struct element *element = shown->rows[i];

	if (++shown->nread % 1024 == 0) {
		arena_free(shown->arena);
		shown->arena = arena_new();
	}
	message_key_values(shown->aggregation,
			   (struct str){ element_key(element), element->nkey },
			   shown->arena, shown->keys, shown->frames);
	shown->values[0] = element->values;
	*row = (struct fact_row){
		.keys = shown->keys,
		.nkeys = shown->aggregation->nkeys,
		.values = shown->values,
	};
}

static void begin_table(struct shown *shown, struct merge *merge, uint32_t id,
			struct element **rows, uint32_t count)
{
	const struct schema_aggregation *aggregation =
		merge->schema.aggregations[id];

	*shown = (struct shown){
		.aggregation = aggregation,
		.normal = merge->normals[id],
		.rows = rows,
		.arena = arena_new(),
		.merge = merge,
	};
	shown->keys = must_alloc((aggregation->nkeys + 1) *
				 sizeof(*shown->keys));
	shown->frames = must_alloc((aggregation->nkeys + 1) *
				   sizeof(*shown->frames));
	shown->fact = (struct fact_table){
		.aggregations = &shown->aggregation,
		.normals = &shown->normal,
		.naggregations = 1,
		.keys = aggregation->keys,
		.nkeys = aggregation->nkeys,
		.stamp = clock_monotonic(),
		.nrows = count,
		.row = show_row,
	};
	merge->shown = shown;
}

static void end_table(struct shown *shown)
{
	shown->merge->shown = NULL;
	arena_free(shown->arena);
	free(shown->keys);
	free(shown->frames);
}

/* Are the frames of all its stacks known?  Keys of a hash are 8 bytes. */
static bool is_named(const struct merge *merge, const struct element *element)
{
	const struct schema_aggregation *aggregation =
		merge->schema.aggregations[element->aggregation];
	bool has_stack = false;

	for (uint32_t i = 0; i < aggregation->nkeys; i++)
		has_stack |= aggregation->keys[i].kind == FACT_STACK;
	if (!has_stack)
		return true;
	struct arena *arena = arena_new();
	struct fact_value *keys = arena_array_of(arena, struct fact_value,
						 aggregation->nkeys);
	struct fact_frame *frames = arena_array_of(arena, struct fact_frame,
						   aggregation->nkeys);
	bool is_known = true;

	message_key_values(aggregation,
			   (struct str){ element_key(element), element->nkey },
			   arena, keys, frames);
	for (uint32_t i = 0; i < aggregation->nkeys; i++)
		if (keys[i].kind == FACT_STACK)
			is_known &= stack_find(merge, number_in(&keys[i])) !=
				    NULL;
	arena_free(arena);
	return is_known;
}

/* --------------------------------------------------------------- columns */

static int compare_seconds(const void *a, const void *b)
{
	const struct merge_column *x = a, *y = b;

	return (x->second > y->second) - (x->second < y->second);
}

uint32_t merge_columns(const struct merge *merge, struct merge_column *columns,
		       uint32_t most)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < merge->ncolumns && n < most; i++)
		if (merge->columns[i].count)
			columns[n++] = (struct merge_column){
				.second = merge->columns[i].second,
				.rows = merge->columns[i].count,
				.is_late = merge->columns[i].is_shown,
			};
	qsort(columns, n, sizeof(*columns), compare_seconds);
	return n;
}

static int compare_aggregations(const void *a, const void *b)
{
	const struct element *x = *(struct element *const *)a,
			     *y = *(struct element *const *)b;

	return (x->aggregation > y->aggregation) -
	       (x->aggregation < y->aggregation);
}

/* One table for each run of elements of the same aggregation. */
static bool show_tables(struct merge *merge, struct element **rows,
			uint32_t count, struct fact_snapshot *snapshot,
			struct sink *sink)
{
	bool goes_on = true;

	qsort(rows, count, sizeof(*rows), compare_aggregations);
	for (uint32_t i = 0, n; i < count && goes_on; i += n) {
		uint32_t id = rows[i]->aggregation;
		struct shown shown;

		for (n = 1; i + n < count && rows[i + n]->aggregation == id;)
			n++;
		begin_table(&shown, merge, id, rows + i, n);
		snapshot->table = &shown.fact;
		goes_on = sink_snapshot(sink, snapshot);
		end_table(&shown);
	}
	return goes_on;
}

/* Puts back what waits for frames. */
static void keep(struct merge *merge, struct column *column,
		 struct element **waiting, uint32_t nwaiting)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < column->count; i++) {
		struct element *element = column->elements[i];

		if (n < nwaiting && waiting[n] == element) {
			n++;
			continue;
		}
		element_free(merge, element);
	}
	memcpy(column->elements, waiting, nwaiting * sizeof(*waiting));
	column->count = nwaiting;
	for (uint32_t i = 0; i < column->nbuckets; i++)
		column->buckets[i] = NULL;
	for (uint32_t i = 0; i < nwaiting; i++) {
		struct element **bucket =
			&column->buckets[waiting[i]->hash % column->nbuckets];

		waiting[i]->next = *bucket;
		*bucket = waiting[i];
	}
}

bool merge_show(struct merge *merge, uint64_t second, struct sink *sink,
		bool is_final)
{
	struct column *column = column_find(merge, second);

	if (!column || !column->count)
		return true;
	struct element **ready = must_alloc(column->count * sizeof(*ready));
	struct element **waiting = must_alloc(column->count * sizeof(*ready));
	uint32_t nready = 0, nwaiting = 0;
	struct fact_snapshot snapshot = {
		.second = second,
		.from = column->from,
		.to = column->to,
	};

	for (uint32_t i = 0; i < column->count; i++) {
		struct element *element = column->elements[i];

		if (is_final || is_named(merge, element))
			ready[nready++] = element;
		else
			waiting[nwaiting++] = element;
	}
	bool goes_on = show_tables(merge, ready, nready, &snapshot, sink);

	if (nwaiting)
		keep(merge, column, waiting, nwaiting);
	else
		column_clear(merge, column);
	column->is_shown = true;
	free(ready);
	free(waiting);
	return goes_on;
}

/* ----------------------------------------------------------------- total */

struct order {
	const struct merge *merge;
	bool is_by_key, is_reversed;
	struct arena *arena;
	uint32_t ncompared;
};

static int compare_text(const struct fact_value *a, const struct fact_value *b)
{
	size_t n = fact_length(a), m = fact_length(b);
	int result = memcmp(a->bytes, b->bytes, n < m ? n : m);

	return result ? result : (n > m) - (n < m);
}

/* As agg/table.c: integers unsigned, texts by their bytes. */
static int compare_key(const struct fact_value *a, const struct fact_value *b)
{
	if (a->kind == FACT_STRING)
		return compare_text(a, b);
	if (a->kind == FACT_INTEGER) {
		uint64_t x = 0, y = 0;

		memcpy(&x, a->bytes, a->size);
		memcpy(&y, b->bytes, b->size);
		return (x > y) - (x < y);
	}
	return memcmp(a->bytes, b->bytes, a->size);
}

static int compare_keys(struct order *order,
			const struct schema_aggregation *aggregation,
			const struct element *a, const struct element *b)
{
	enum { MOST = 64, ENOUGH = 1024 };
	struct fact_value x[MOST], y[MOST];
	struct fact_frame frames[MOST];
	int result = 0;

	/* an arena is cleared memory: too much for each comparison */
	if (++order->ncompared % ENOUGH == 0) {
		arena_free(order->arena);
		order->arena = arena_new();
	}
	struct arena *arena = order->arena;

	message_key_values(aggregation, (struct str){ element_key(a), a->nkey },
			   arena, x, frames);
	message_key_values(aggregation, (struct str){ element_key(b), b->nkey },
			   arena, y, frames);
	for (uint32_t i = 0; i < aggregation->nkeys && !result; i++)
		result = compare_key(&x[i], &y[i]);
	return result;
}

static int compare_rows(const void *a, const void *b, void *data)
{
	const struct element *x = *(struct element *const *)a,
			     *y = *(struct element *const *)b;
	struct order *order = data;
	const struct schema_aggregation *aggregation =
		order->merge->schema.aggregations[x->aggregation];
	int result = 0;

	if (!order->is_by_key)
		result = aggregation->aggregate->compare(x->values, y->values,
							 x->nvalues,
							 aggregation->params);
	if (!result)
		result = compare_keys(order, aggregation, x, y);
	return order->is_reversed ? -result : result;
}

bool merge_show_total(struct merge *merge, const struct options *options,
		      struct sink *sink)
{
	struct column *column = column_find(merge, 0);
	struct order order = {
		.merge = merge,
		.is_by_key = option_on(options, OPTION_AGGSORTKEY),
		.is_reversed = option_on(options, OPTION_AGGSORTREV),
	};
	bool goes_on = true;

	if (!column)
		return true;
	order.arena = arena_new();
	qsort(column->elements, column->count, sizeof(*column->elements),
	      compare_aggregations);
	for (uint32_t i = 0, n; i < column->count && goes_on; i += n) {
		struct element **rows = column->elements + i;
		struct shown shown;

		for (n = 1; i + n < column->count &&
			    rows[n]->aggregation == rows[0]->aggregation;)
			n++;
		qsort_r(rows, n, sizeof(*rows), compare_rows, &order);
		begin_table(&shown, merge, rows[0]->aggregation, rows, n);
		goes_on = sink_table(sink, &shown.fact);
		end_table(&shown);
	}
	arena_free(order.arena);
	return goes_on;
}
