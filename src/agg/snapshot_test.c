/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Snapshots: merged by their functions, all that were ever shown equal what was
 * ever counted, whatever clear() and trunc() did in between.
 *
 * Every aggregating function counts the same random values in hand-made tables;
 * a model merges each update separately.
 */
#include "agg/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agg/agg.h"

enum { NCPUS = 3, NKEYS = 5, MOST_AGGS = 16, MOST_VALUES = 1024 };

struct fixture {
	struct options options;
	struct schema_field key;
	struct schema_aggregation layouts[MOST_AGGS], *pointers[MOST_AGGS];
	struct schema schema;
	struct bpf_agg_map aggs[MOST_AGGS];
	struct bpf_maps maps;
	uint32_t naggs;
	struct agg_store *store;
	/* what was counted, and what snapshots have shown, by key */
	int64_t *counted[MOST_AGGS][NKEYS], *shown[MOST_AGGS][NKEYS];
	uint32_t nrows; /* shown by the last snapshot */
	uint32_t seed;
};

static uint32_t random_number(struct fixture *f)
{
	f->seed = f->seed * 1103515245 + 12345;
	return f->seed >> 8;
}

static int64_t *identity_of(const struct schema_aggregation *layout)
{
	int64_t *values = calloc(layout->nvalues, sizeof(*values));

	for (uint32_t i = 0; i < layout->nvalues; i++)
		values[i] = agg_identity(layout->aggregate, i);
	return values;
}

static void add_aggregation(struct fixture *f, const struct function *function)
{
	uint32_t id = f->naggs++;
	struct schema_aggregation *layout = &f->layouts[id];
	struct bpf_agg_map *map = &f->aggs[id];

	*layout = (struct schema_aggregation){
		.name = function->name,
		.function = function->name,
		.aggregate = function->aggregate,
		.id = id,
		.is_updated = true,
		.keys = &f->key,
		.nkeys = 1,
		.key_size = 8,
	};
	if (!strcmp(function->name, "lquantize"))
		memcpy(layout->params, (int64_t[4]){ 0, 1000, 10 },
		       sizeof(layout->params));
	if (!strcmp(function->name, "llquantize"))
		memcpy(layout->params, (int64_t[4]){ 10, 0, 6, 20 },
		       sizeof(layout->params));
	layout->nvalues = function->aggregate->nvalues(layout->params);
	assert_in_range(layout->nvalues, 1, MOST_VALUES);
	f->pointers[id] = layout;
	map->entries = NKEYS;
	map->entry_size = (uint32_t)sizeof(struct abi_agg_entry) + 8 +
			  layout->nvalues * 8;
	map->element_size = sizeof(struct abi_agg_table) +
			    (uint64_t)NKEYS * map->entry_size;
	map->memory = calloc(NCPUS, map->element_size);
	for (uint32_t key = 0; key < NKEYS; key++) {
		f->counted[id][key] = identity_of(layout);
		f->shown[id][key] = identity_of(layout);
	}
}

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){
		.key = { .form = FIELD_BYTES, .kind = FACT_INTEGER, .size = 4 },
		.seed = 1,
	};
	options_init(&f.options);
	for (const struct function *const *row = agg_functions; *row; row++)
		add_aggregation(&f, *row);
	f.schema = (struct schema){
		.aggregations = f.pointers,
		.naggregations = f.naggs,
	};
	f.maps = (struct bpf_maps){
		.ncpus = NCPUS,
		.aggs = f.aggs,
		.naggs = f.naggs,
	};
	f.store = agg_store_new(&f.schema, &f.maps, &f.options,
				&(struct agg_names){ 0 });
	agg_store_keep_fresh(f.store);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	agg_store_free(f->store);
	for (uint32_t id = 0; id < f->naggs; id++) {
		free(f->aggs[id].memory);
		for (uint32_t key = 0; key < NKEYS; key++) {
			free(f->counted[id][key]);
			free(f->shown[id][key]);
		}
	}
	options_free(&f->options);
	return 0;
}

/* The words that one update with that value leaves in an empty entry. */
static void update(const struct schema_aggregation *layout, int64_t value,
		   int64_t *words)
{
	const char *name = layout->function;

	for (uint32_t i = 0; i < layout->nvalues; i++)
		words[i] = agg_identity(layout->aggregate, i);
	if (!strcmp(name, "quantize"))
		words[quantize_bucket(value)] = 1;
	else if (!strcmp(name, "lquantize"))
		words[lquantize_bucket(value, layout->params)] = 1;
	else if (!strcmp(name, "llquantize"))
		words[llquantize_bucket(value, layout->params)] = 1;
	else
		for (uint32_t i = 0; i < layout->nvalues; i++)
			words[i] = i ? 1 + value % 7 : value;
}

/* A program's update on that CPU. */
static void count(struct fixture *f, uint32_t id, uint32_t cpu, uint32_t key,
		  int64_t value)
{
	const struct schema_aggregation *layout = &f->layouts[id];
	struct bpf_agg_map *map = &f->aggs[id];
	struct abi_agg_entry *entry =
		(struct abi_agg_entry *)(map->memory + cpu * map->element_size +
					 sizeof(struct abi_agg_table) +
					 key * map->entry_size);
	int64_t *values = (int64_t *)(entry + 1) + 1, words[MOST_VALUES];

	if (!entry->tag)
		for (uint32_t i = 0; i < layout->nvalues; i++)
			values[i] = agg_identity(layout->aggregate, i);
	entry->tag = 2;
	memcpy(entry + 1, &key, sizeof(key));
	update(layout, value, words);
	layout->aggregate->merge(values, words, layout->nvalues);
	layout->aggregate->merge(f->counted[id][key], words, layout->nvalues);
	entry->touched = 1;
}

static bool add_snapshot(void *data, const struct fact_table *table)
{
	struct fixture *f = data;

	assert_int_equal(table->naggregations, 1);
	assert_false(table->is_per_cpu);
	const struct schema_aggregation *layout = table->aggregations[0];

	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		assert_int_equal(row.ncpus, 0);
		int64_t key = fact_integer(&row.keys[0]);

		assert_in_range(key, 0, NKEYS - 1);
		layout->aggregate->merge(f->shown[layout->id][key],
					 row.values[0], layout->nvalues);
		f->nrows++;
	}
	return true;
}

static void take_snapshot(struct fixture *f)
{
	agg_store_drain(f->store, false);
	f->nrows = 0;
	assert_true(agg_store_show_fresh(f->store, add_snapshot, f));
}

static void expect_all_shown(struct fixture *f)
{
	for (uint32_t id = 0; id < f->naggs; id++)
		for (uint32_t key = 0; key < NKEYS; key++)
			assert_memory_equal(f->shown[id][key],
					    f->counted[id][key],
					    f->layouts[id].nvalues * 8);
}

static void count_at_random(struct fixture *f)
{
	int64_t value = random_number(f) % 100000 - 5000;
	uint32_t key = random_number(f) % NKEYS;
	uint32_t cpu = random_number(f) % NCPUS;

	for (uint32_t id = 0; id < f->naggs; id++)
		count(f, id, cpu, key, value);
}

/* What the store itself has at the end. */
static void expect_totals(struct fixture *f)
{
	for (uint32_t id = 0; id < f->naggs; id++) {
		struct agg_variable *variable = &f->store->variables[id];

		assert_int_equal(variable->count, NKEYS);
		for (uint64_t key = 0; key < NKEYS; key++)
			assert_memory_equal(
				agg_values(variable,
					   agg_variable_find(variable, &key)),
				f->counted[id][key],
				f->layouts[id].nvalues * 8);
	}
}

static void test_totals(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < 5000; i++) {
		count_at_random(f);
		if (random_number(f) % 5 == 0)
			take_snapshot(f);
		else if (random_number(f) % 5 == 0)
			agg_store_drain(f->store, false);
	}
	agg_store_drain(f->store, true);
	take_snapshot(f);
	expect_all_shown(f);
	expect_totals(f);
}

/* Actions change what is printed, not what was counted. */
static void test_control(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < 5000; i++) {
		uint32_t id = random_number(f) % f->naggs;

		count_at_random(f);
		switch (random_number(f) % 12) {
		case 0:
			agg_store_clear(f->store, id);
			break;
		case 1:
			agg_store_trunc(f->store, id, 0, false);
			break;
		case 2:
			agg_store_trunc(f->store, id, 2, true);
			break;
		case 3:
			agg_store_trunc(f->store, id, -2, true);
			break;
		case 4:
			agg_store_normalize(f->store, id, 3);
			break;
		case 5:
			take_snapshot(f);
			break;
		case 6:
			/* as in a pass of the consumer */
			agg_store_begin(f->store);
			agg_store_clear(f->store, id);
			count_at_random(f);
			agg_store_trunc(f->store, id, 1, true);
			agg_store_end(f->store);
			break;
		default:
			break;
		}
	}
	agg_store_drain(f->store, true);
	take_snapshot(f);
	expect_all_shown(f);
}

/* A snapshot has only the keys of its interval. */
static void test_interval(void **state)
{
	struct fixture *f = *state;

	count(f, 0, 0, 1, 1);
	count(f, 0, 1, 1, 1);
	count(f, 0, 1, 4, 1);
	take_snapshot(f);
	assert_int_equal(f->nrows, 2);
	take_snapshot(f);
	assert_int_equal(f->nrows, 0);
	count(f, 0, 2, 4, 1);
	take_snapshot(f);
	assert_int_equal(f->nrows, 1);
	expect_all_shown(f);
}

/* -x aggpercpu applies to the totals, not to snapshots. */
static void test_per_cpu(void **state)
{
	struct fixture *f = *state;

	option_set(&f->options, "aggpercpu", NULL, ORIGIN_COMMAND);
	agg_store_free(f->store);
	f->store = agg_store_new(&f->schema, &f->maps, &f->options,
				 &(struct agg_names){ 0 });
	agg_store_keep_fresh(f->store);
	for (unsigned i = 0; i < 500; i++) {
		count_at_random(f);
		if (i % 20 == 0)
			take_snapshot(f);
	}
	take_snapshot(f);
	expect_all_shown(f);
	expect_totals(f);
}

/* From the moment they are enabled; enabling twice changes nothing. */
static void test_late(void **state)
{
	struct fixture *f = *state;

	agg_store_free(f->store);
	f->store = agg_store_new(&f->schema, &f->maps, &f->options,
				 &(struct agg_names){ 0 });
	count(f, 0, 0, 1, 1);
	agg_store_drain(f->store, false);
	take_snapshot(f);
	assert_int_equal(f->nrows, 0);
	agg_store_keep_fresh(f->store);
	count(f, 0, 0, 2, 1);
	agg_store_drain(f->store, false);
	agg_store_keep_fresh(f->store);
	take_snapshot(f);
	assert_int_equal(f->nrows, 1);
	assert_int_equal(f->shown[0][2][0], 1);
}

static bool wants_no_more(void *data, const struct fact_table *table)
{
	(void)table;
	++*(unsigned *)data;
	return false;
}

static void test_end(void **state)
{
	struct fixture *f = *state;
	unsigned calls = 0;

	count_at_random(f);
	agg_store_drain(f->store, false);
	assert_false(agg_store_show_fresh(f->store, wants_no_more, &calls));
	assert_int_equal(calls, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_totals), TEST(test_control), TEST(test_interval),
		TEST(test_per_cpu), TEST(test_late), TEST(test_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
