/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of a store: rows of one interval, packed into one array of words.
 *
 *	key << 32 | node	which row
 *	n			how many words follow
 *	n words			of a histogram: bucket, count, bucket, count ...
 *
 * A histogram has thousands of buckets and few that are not 0: packed it takes
 * 16 bytes for each of these.  A row that gets more buckets by a late snapshot
 * is written again behind the others, and its old place is marked dead.
 */
#include <stdlib.h>

#include "agg/agg.h"
#include "live/store.h"

enum { HEAD = 2 };
#define DEAD INT64_MIN

static int64_t head_of(uint32_t key, uint32_t node)
{
	return (int64_t)((uint64_t)key << 32 | node);
}

static struct store_column *slot_of(const struct store *store,
				    const struct store_set *set, int64_t t)
{
	int64_t n = t / store->interval % store->limits.columns;

	return &set->columns[n < 0 ? n + store->limits.columns : n];
}

static void column_forget(struct store *store, struct store_set *set,
			  struct store_column *column)
{
	uint32_t at = 0;

	while (at < column->nwords) {
		if (column->words[at] != DEAD &&
		    !--set->keys[(uint64_t)column->words[at] >> 32].uses)
			set->has_unused = true;
		at += HEAD + (uint32_t)column->words[at + 1];
	}
	store->bytes -= column->capacity * sizeof(int64_t);
	free(column->words);
	*column = (struct store_column){ 0 };
}

/* ----------------------------------------------------------------- adding */

static uint32_t hash_of(int64_t head)
{
	return (uint32_t)(((uint64_t)head * 0x9e3779b97f4a7c15u) >> 32);
}

static void index_put(struct store *store, const struct store_column *column,
		      uint32_t at)
{
	uint32_t i = hash_of(column->words[at]) & (store->index_size - 1);

	while (store->index[i])
		i = (i + 1) & (store->index_size - 1);
	store->index[i] = at + 1;
}

/* Makes the index of a column, with room for more rows. */
static void index_make(struct store *store, const struct store_column *column)
{
	uint32_t size = 64;

	while (size < 4 * (column->nrows + 1))
		size *= 2;
	if (size > store->index_size) {
		free(store->index);
		store->index = must_alloc(size * sizeof(*store->index));
		store->index_size = size;
	} else {
		memset(store->index, 0,
		       store->index_size * sizeof(*store->index));
	}
	for (uint32_t at = 0; at < column->nwords;
	     at += HEAD + (uint32_t)column->words[at + 1])
		if (column->words[at] != DEAD)
			index_put(store, column, at);
}

/* The entry of the index where the row is, or where it would be. */
static uint32_t *index_find(struct store *store,
			    const struct store_column *column, int64_t head)
{
	uint32_t i = hash_of(head) & (store->index_size - 1);

	while (store->index[i] &&
	       column->words[store->index[i] - 1] != head)
		i = (i + 1) & (store->index_size - 1);
	return &store->index[i];
}

static int64_t *column_grow(struct store *store, struct store_column *column,
			    uint32_t count)
{
	if (column->nwords + count > column->capacity) {
		uint32_t capacity = column->nwords + count +
				    column->capacity / 2;

		column->words = must_realloc(column->words,
					     capacity * sizeof(int64_t));
		store->bytes += (capacity - column->capacity) * sizeof(int64_t);
		column->capacity = capacity;
	}
	column->nwords += count;
	return column->words + column->nwords - count;
}

/* Where the row begins. */
static uint32_t row_write(struct store *store, const struct store_set *set,
			  struct store_column *column, int64_t head,
			  const int64_t *values)
{
	uint32_t at = column->nwords, count = set->nvalues;

	if (set->kind == STORE_HISTOGRAM) {
		count = 0;
		for (uint32_t i = 0; i < set->nvalues; i++)
			count += values[i] ? 2 : 0;
	}
	int64_t *words = column_grow(store, column, HEAD + count);

	*words++ = head;
	*words++ = count;
	for (uint32_t i = 0; i < set->nvalues; i++) {
		if (set->kind == STORE_SCALAR) {
			*words++ = values[i];
		} else if (values[i]) {
			*words++ = i;
			*words++ = values[i];
		}
	}
	return at;
}

/* Both are one: by the function of the aggregation, whatever it is. */
static uint32_t row_merge(struct store *store, const struct store_set *set,
			  struct store_column *column, uint32_t at,
			  const int64_t *values)
{
	int64_t *row = column->words + at + HEAD, head = row[-HEAD];
	uint32_t count = (uint32_t)row[-1];

	if (set->kind == STORE_SCALAR) {
		set->aggregate->merge(row, values, set->nvalues);
		return at;
	}
	memset(store->dense, 0, set->nvalues * sizeof(int64_t));
	for (uint32_t i = 0; i < count; i += 2)
		store->dense[row[i]] = row[i + 1];
	set->aggregate->merge(store->dense, values, set->nvalues);
	row[-HEAD] = DEAD;
	return row_write(store, set, column, head, store->dense);
}

void store_begin_column(struct store *store, struct store_set *set, int64_t t)
{
	struct store_column *column = slot_of(store, set, t);

	if (column->is_kept && column->t < t)
		column_forget(store, set, column);
	if (!column->is_kept) {
		column->is_kept = true;
		column->t = t;
	}
	if (column->t != t)
		return; /* older than all that is kept */
	column->is_dirty = store->is_dirty = true;
	column->sources++;
	if (!set->has_columns || t > set->newest)
		set->newest = t;
	set->has_columns = true;
	index_make(store, column);
}

bool store_add(struct store *store, struct store_set *set, int64_t t,
	       uint32_t key, uint32_t node, const int64_t *values)
{
	struct store_column *column = slot_of(store, set, t);
	int64_t head = head_of(key, node);

	if (!column->is_kept || column->t != t)
		return false;
	if (4 * (column->nrows + 1) > store->index_size)
		index_make(store, column);
	uint32_t *place = index_find(store, column, head);

	if (*place) {
		*place = row_merge(store, set, column, *place - 1, values) + 1;
		return true;
	}
	if (column->nrows == store->limits.rows) {
		store->keys_lost++;
		return true;
	}
	*place = row_write(store, set, column, head, values) + 1;
	column->nrows++;
	set->keys[key].uses++;
	return true;
}

/* ---------------------------------------------------------------- reading */

bool store_row(const struct store_column *column, uint32_t *at,
	       struct store_row *row)
{
	while (*at < column->nwords) {
		const int64_t *words = column->words + *at;

		*at += HEAD + (uint32_t)words[1];
		if (words[0] == DEAD)
			continue;
		*row = (struct store_row){
			.key = (uint32_t)((uint64_t)words[0] >> 32),
			.node = (uint32_t)words[0],
			.count = (uint32_t)words[1],
			.words = words + HEAD,
		};
		return true;
	}
	return false;
}

int64_t store_number(const struct store_set *set, const struct store_row *row)
{
	uint64_t sum = 0;

	if (set->kind == STORE_SCALAR)
		return set->aggregate->number(row->words, 1);
	for (uint32_t i = 0; i < row->count; i += 2)
		sum += (uint64_t)row->words[i + 1];
	return (int64_t)sum;
}

void store_walk(struct store_walk *walk, const struct store *store,
		const struct store_set *set, int64_t from, int64_t to)
{
	int64_t step = store->interval;
	int64_t last = set->newest / step;
	int64_t first = last - store->limits.columns + 1;

	if (!set->has_columns)
		to = INT64_MIN;
	/* a column that has begun before `from` is of that time, too */
	if (from > 0 && from / step > first)
		first = from / step;
	*walk = (struct store_walk){
		.set = set,
		.store = store,
		.t = first * step,
		.to = to < set->newest ? to : set->newest,
	};
}

const struct store_column *store_next(struct store_walk *walk)
{
	while (walk->t <= walk->to) {
		const struct store_column *column =
			slot_of(walk->store, walk->set, walk->t);
		int64_t t = walk->t;

		walk->t += walk->store->interval;
		if (column->is_kept && column->t == t)
			return column;
	}
	return NULL;
}

/* -------------------------------------------------------------- forgetting */

void store_expire(struct store *store, int64_t t)
{
	for (uint32_t s = 0; s < store->nsets; s++) {
		struct store_set *set = store->sets[s];

		for (uint32_t i = 0; i < store->limits.columns; i++)
			if (set->columns[i].is_kept && set->columns[i].t < t)
				column_forget(store, set, &set->columns[i]);
	}
}

int64_t store_oldest(const struct store *store)
{
	int64_t oldest = INT64_MAX;

	for (uint32_t s = 0; s < store->nsets; s++) {
		const struct store_set *set = store->sets[s];

		for (uint32_t i = 0; i < store->limits.columns; i++)
			if (set->columns[i].is_kept && set->columns[i].nwords &&
			    set->columns[i].t < oldest)
				oldest = set->columns[i].t;
	}
	return oldest;
}

void store_evict(struct store *store, int64_t t)
{
	for (uint32_t s = 0; s < store->nsets; s++) {
		struct store_column *column = slot_of(store, store->sets[s], t);

		if (column->is_kept && column->t == t) {
			column_forget(store, store->sets[s], column);
			store->columns_lost++;
		}
	}
}
