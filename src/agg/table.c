/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of aggregations: join, sort, one row per key.
 *
 * printa() may show several aggregations side by side.  They are joined on
 * their keys, and a key that one of them lacks counts as 0 there.  Their keys
 * have the same types but not always the same bytes (a string takes the room
 * its expression needs), so the join compares what keys mean: the text of
 * strings, the bytes of everything else.
 *
 * Rows sort by value, ties by key; options reverse that (d-language.md §12).
 * Integer keys compare unsigned, as in every DTrace.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "agg/store.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/table.h"

struct joined_row {
	/* the keys, as one of the joined variables holds them */
	const struct schema_aggregation *layout;
	const uint8_t *key;
	/* by joined variable; NULL: no such key */
	struct agg_element **elements;
};

struct agg_table {
	struct arena *arena;
	struct agg_store *store;
	struct agg_variable **variables;
	uint32_t nvariables;
	struct joined_row *rows;
	uint32_t count;
	int64_t *zeros; /* values of an element that does not exist */
	bool is_fresh;	/* for a snapshot: no per-CPU values */
	/* how to sort */
	uint32_t by; /* which variable provides the value */
	bool is_by_key, is_reversed;
	/* the fact, and its current row */
	struct fact_table fact;
	struct fact_value *keys;
	const int64_t **values;
	struct fact_cpu_values *cpus;
};

/* ------------------------------------------------------------ comparing */

static int compare_bytes(const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
	size_t common = n < m ? n : m;
	int result = common ? memcmp(a, b, common) : 0;

	if (result)
		return result;
	return (n > m) - (n < m);
}

static uint64_t unsigned_value(const struct fact_value *value)
{
	uint64_t word = 0;

	memcpy(&word, value->bytes, value->size);
	return word;
}

static int compare_key(const struct fact_value *a, const struct fact_value *b)
{
	if (a->kind == FACT_STRING && b->kind == FACT_STRING)
		return compare_bytes(a->bytes, fact_length(a), b->bytes,
				     fact_length(b));
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	if (a->size == 1 || a->size == 2 || a->size == 4 || a->size == 8) {
		uint64_t x = unsigned_value(a), y = unsigned_value(b);

		return (x > y) - (x < y);
	}
	return compare_bytes(a->bytes, a->size, b->bytes, b->size);
}

struct fact_value agg_store_key(const struct agg_store *store,
				const struct schema_field *key,
				const uint8_t *bytes)
{
	const struct fact_probe *named = NULL;
	uint32_t id;

	if (key->form == FIELD_PROBE_ID) {
		memcpy(&id, bytes + key->offset, sizeof(id));
		named = store->ask.probe(store->ask.context, id);
	}
	struct fact_value value = fact_value_of(key, bytes, NULL, named);

	/* a row of the table */
	value.is_name = true;
	return value;
}

int agg_compare_keys(const struct agg_store *store,
		     const struct schema_aggregation *la, const uint8_t *a,
		     const struct schema_aggregation *lb, const uint8_t *b)
{
	if (la->nkeys != lb->nkeys)
		return la->nkeys < lb->nkeys ? -1 : 1;
	int64_t first = option_number(store->options, OPTION_AGGSORTKEYPOS);

	if (first < 0 || first >= la->nkeys)
		first = 0;
	for (uint32_t i = 0; i < la->nkeys; i++) {
		uint32_t k = (uint32_t)((i + (uint64_t)first) % la->nkeys);
		struct fact_value x = agg_store_key(store, &la->keys[k], a);
		struct fact_value y = agg_store_key(store, &lb->keys[k], b);
		int result = compare_key(&x, &y);

		if (result)
			return result;
	}
	return 0;
}

static int64_t *joined_values(const struct agg_table *table,
			      const struct joined_row *row, uint32_t i)
{
	struct agg_element *element = row->elements[i];

	return element ? agg_values(table->variables[i], element)
		       : table->zeros;
}

static int compare_rows(const void *a, const void *b, void *data)
{
	const struct agg_table *table = data;
	const struct joined_row *x = a, *y = b;
	int result = 0;

	if (!table->is_by_key) {
		const struct schema_aggregation *layout =
			table->variables[table->by]->layout;

		result = layout->aggregate->compare(
			joined_values(table, x, table->by),
			joined_values(table, y, table->by), layout->nvalues,
			layout->params);
	}
	if (!result)
		result = agg_compare_keys(table->store, x->layout, x->key,
					  y->layout, y->key);
	return table->is_reversed ? -result : result;
}

/* -------------------------------------------------------------- joining */

/* What the keys mean, as bytes that are equal if the keys are. */
static struct str key_meaning(const struct agg_table *table,
			      const struct schema_aggregation *layout,
			      const uint8_t *key)
{
	struct text text = { 0 };

	for (uint32_t i = 0; i < layout->nkeys; i++) {
		struct fact_value value = agg_store_key(table->store,
							&layout->keys[i], key);

		if (value.kind == FACT_STRING) {
			text_add(&text, (const char *)value.bytes,
				 fact_length(&value));
			text_putc(&text, '\0');
		} else {
			text_add(&text, (const char *)value.bytes, value.size);
		}
	}
	struct str meaning = {
		arena_strndup(table->arena, text_str(&text), text.n), text.n
	};

	text_free(&text);
	return meaning;
}

static void join(struct agg_table *table)
{
	struct table known = { 0 };

	for (uint32_t v = 0; v < table->nvariables; v++) {
		struct agg_variable *variable = table->variables[v];

		for (uint32_t i = 0; i < variable->count; i++) {
			struct agg_element *element = variable->elements[i];
			struct str meaning = { 0 };
			struct joined_row *row = NULL;

			if (table->nvariables > 1) {
				meaning = key_meaning(table, variable->layout,
						      agg_key(element));
				row = table_get(&known, meaning);
			}
			if (!row) {
				row = &table->rows[table->count++];
				row->layout = variable->layout;
				row->key = agg_key(element);
				row->elements =
					arena_array_of(table->arena,
						       struct agg_element *,
						       table->nvariables);
				if (table->nvariables > 1)
					table_put(&known, meaning, row);
			}
			row->elements[v] = element;
		}
	}
	table_free(&known);
}

static void make_rows(struct agg_table *table)
{
	const struct options *options = table->store->options;
	int64_t by = option_number(options, OPTION_AGGSORTPOS);
	size_t most = 0;
	uint32_t nvalues = 1;

	for (uint32_t i = 0; i < table->nvariables; i++) {
		most = checked_add(most, table->variables[i]->count);
		if (table->variables[i]->layout->nvalues > nvalues)
			nvalues = table->variables[i]->layout->nvalues;
	}
	table->rows = arena_array_of(table->arena, struct joined_row, most);
	table->zeros = arena_array_of(table->arena, int64_t, nvalues);
	table->by = by > 0 && by < table->nvariables ? (uint32_t)by : 0;
	table->is_by_key = option_on(options, OPTION_AGGSORTKEY);
	table->is_reversed = option_on(options, OPTION_AGGSORTREV);
	join(table);
	qsort_r(table->rows, table->count, sizeof(struct joined_row),
		compare_rows, table);
}

/* ------------------------------------------------------------- the fact */

static const struct agg_table *table_of(const struct fact_table *fact)
{
	return (const struct agg_table *)((const char *)fact -
					  offsetof(struct agg_table, fact));
}

static void show_cpus(const struct agg_table *table,
		      const struct joined_row *joined, struct fact_row *row)
{
	const struct agg_store *store = table->store;

	for (uint32_t cpu = 0; cpu < store->maps->ncpus; cpu++)
		for (uint32_t i = 0; i < table->nvariables; i++) {
			struct agg_variable *variable = table->variables[i];
			struct agg_element *element = joined->elements[i];

			if (!element ||
			    !*agg_cpu_mark(store, variable, element, cpu))
				continue;
			table->cpus[row->ncpus++] = (struct fact_cpu_values){
				.cpu = cpu,
				.aggregation = i,
				.values = agg_cpu_values(variable, element,
							 cpu),
			};
		}
}

static void show_row(const struct fact_table *fact, uint32_t i,
		     struct fact_row *row)
{
	const struct agg_table *table = table_of(fact);
	const struct joined_row *joined = &table->rows[i];
	const struct schema_aggregation *layout = joined->layout;

	for (uint32_t k = 0; k < layout->nkeys; k++)
		table->keys[k] = agg_store_key(table->store, &layout->keys[k],
					       joined->key);
	for (uint32_t v = 0; v < table->nvariables; v++)
		table->values[v] = joined_values(table, joined, v);
	*row = (struct fact_row){
		.keys = table->keys,
		.nkeys = layout->nkeys,
		.values = table->values,
		.cpus = table->cpus,
	};
	if (table->fact.is_per_cpu)
		show_cpus(table, joined, row);
}

/* The first that has keys determines their names. */
static const struct schema_aggregation *keyed(const struct agg_table *table)
{
	for (uint32_t i = 0; i < table->nvariables; i++)
		if (table->variables[i]->layout->nkeys)
			return table->variables[i]->layout;
	return table->variables[0]->layout;
}

static void make_fact(struct agg_table *table)
{
	struct arena *arena = table->arena;
	uint32_t n = table->nvariables;
	const struct schema_aggregation **schemas =
		arena_array_of(arena, const struct schema_aggregation *, n);
	uint64_t *normals = arena_array_of(arena, uint64_t, n);
	const struct schema_aggregation *keys = keyed(table);

	for (uint32_t i = 0; i < n; i++) {
		schemas[i] = table->variables[i]->layout;
		normals[i] = table->variables[i]->normal;
	}
	table->keys = arena_array_of(arena, struct fact_value, keys->nkeys);
	table->values = arena_array_of(arena, const int64_t *, n);
	if (table->store->is_per_cpu)
		table->cpus = arena_array_of(arena, struct fact_cpu_values,
					     (size_t)n *
						     table->store->maps->ncpus);
	table->fact = (struct fact_table){
		.aggregations = schemas,
		.normals = normals,
		.naggregations = n,
		.keys = keys->keys,
		.nkeys = keys->nkeys,
		.stamp = clock_monotonic(),
		.nrows = table->count,
		.is_per_cpu = table->store->is_per_cpu && !table->is_fresh,
		.row = show_row,
	};
}

/* ------------------------------------------------------------ the table */

static struct agg_table *table_new(struct agg_store *store, uint32_t n)
{
	struct arena *arena = arena_new();
	struct agg_table *table = arena_new_of(arena, struct agg_table);

	table->arena = arena;
	table->store = store;
	table->variables = arena_array_of(arena, struct agg_variable *, n);
	table->nvariables = n;
	return table;
}

/* An aggregation that no enabled clause updates: no elements, but a place. */
static struct agg_variable *absent_variable(const struct agg_table *table,
					    uint32_t id)
{
	struct agg_variable *variable = arena_new_of(table->arena,
						     struct agg_variable);

	variable->layout = table->store->schema->aggregations[id];
	variable->normal = 1;
	return variable;
}

struct agg_table *agg_table_new(struct agg_store *store, const uint32_t *ids,
				uint32_t n)
{
	struct agg_table *table = table_new(store, n);

	for (uint32_t i = 0; i < n; i++) {
		struct agg_variable *variable = agg_store_variable(store,
								   ids[i]);

		if (variable) {
			agg_variable_fetch(store, variable);
			variable->is_printed = true;
		} else {
			variable = absent_variable(table, ids[i]);
		}
		table->variables[i] = variable;
	}
	make_rows(table);
	make_fact(table);
	return table;
}

const struct fact_table *agg_table_fact(const struct agg_table *table)
{
	return &table->fact;
}

void agg_table_free(struct agg_table *table)
{
	arena_free(table->arena);
}

/* ------------------------------------------------- what was not printed */

static bool is_left(const struct agg_variable *variable)
{
	return variable->layout && !variable->is_printed;
}

static bool show_one(struct agg_store *store, struct agg_variable *variable,
		     uint32_t most, agg_show *show, void *data)
{
	struct agg_table *table = table_new(store, 1);

	table->variables[0] = variable;
	make_rows(table);
	if (most && table->count > most) {
		if (!table->is_reversed)
			table->rows += table->count - most;
		table->count = most;
	}
	make_fact(table);
	bool goes_on = show(data, &table->fact);

	agg_table_free(table);
	return goes_on;
}

bool agg_store_show_rest(struct agg_store *store, uint32_t most, agg_show *show,
			 void *data)
{
	bool is_reversed = option_on(store->options, OPTION_AGGSORTREV);

	for (uint32_t i = 0; i < store->nvariables; i++) {
		uint32_t at = is_reversed ? store->nvariables - 1 - i : i;

		if (is_left(&store->variables[at]) &&
		    !show_one(store, &store->variables[at], most, show, data))
			return false;
	}
	return true;
}

uint32_t agg_store_count_rest(const struct agg_store *store)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < store->nvariables; i++)
		count += is_left(&store->variables[i]);
	return count;
}

/* ------------------------------------------------------------ snapshots */

bool agg_store_show_fresh(struct agg_store *store, agg_show *show, void *data)
{
	for (uint32_t i = 0; i < store->nvariables; i++) {
		struct agg_variable *variable = &store->variables[i];

		if (!variable->layout || !variable->fresh ||
		    !variable->fresh->count)
			continue;
		struct agg_table *table = table_new(store, 1);

		table->is_fresh = true;
		table->variables[0] = variable->fresh;
		variable->fresh->normal = variable->normal;
		make_rows(table);
		make_fact(table);
		bool goes_on = show(data, &table->fact);

		agg_table_free(table);
		agg_variable_empty(variable->fresh);
		if (!goes_on)
			return false;
	}
	return true;
}
