/* SPDX-License-Identifier: Apache-2.0 */
#include "live/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "agg/agg.h"

/* A store of 10 columns of a second, with one histogram and one sum. */
struct world {
	struct options options;
	struct store *store;
	struct schema_field key;
	struct schema_aggregation aggregations[2];
};

static const struct store_limits small = {
	.columns = 10, .keys = 4, .nodes = 100, .rows = 8, .lines = 3,
	.line_bytes = 1000,
};

static int set_up(void **state)
{
	struct world *world = must_alloc(sizeof(*world));
	const int64_t none[AGGREGATION_PARAMS] = { 0 };

	options_init(&world->options);
	world->key = (struct schema_field){
		.kind = FACT_STRING,
		.size = 16,
		.name = "execname",
	};
	world->aggregations[0] = (struct schema_aggregation){
		.name = "size", .function = "quantize", .id = 0,
		.aggregate = agg_find("quantize", none, QUANTIZE_BUCKETS),
		.keys = &world->key, .nkeys = 1, .nvalues = QUANTIZE_BUCKETS,
	};
	world->aggregations[1] = (struct schema_aggregation){
		.name = "low", .function = "min", .id = 1,
		.aggregate = agg_find("min", none, 1), .keys = &world->key,
		.nkeys = 1, .nvalues = 1,
	};
	assert_non_null(world->aggregations[0].aggregate);
	assert_non_null(world->aggregations[1].aggregate);
	world->store = store_new(&world->options, 1000, &small);
	store_open(world->store, NULL, 0);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	store_free(world->store);
	options_free(&world->options);
	free(world);
	return 0;
}

/* One row as a snapshot of a table. */
struct snapshot {
	struct fact_table table;
	char word[16];
	struct fact_value value;
	const int64_t *values[1];
};

static void give_row(const struct fact_table *table, uint32_t i,
		     struct fact_row *row)
{
	const struct snapshot *snapshot = (const struct snapshot *)table;

	(void)i;
	*row = (struct fact_row){
		.keys = &snapshot->value,
		.nkeys = 1,
		.values = snapshot->values,
	};
}

static void take(struct world *world, unsigned which, uint64_t second,
		 const char *word, const int64_t *values)
{
	const struct schema_aggregation *aggregation =
		&world->aggregations[which];
	struct snapshot snapshot = {
		.table = { .aggregations = &aggregation, .naggregations = 1,
			   .nrows = 1, .row = give_row },
		.value = { .kind = FACT_STRING, .size = 16 },
		.values = { values },
	};
	struct fact_snapshot fact = {
		.second = second,
		.from = second * 1000000000,
		.to = (second + 1) * 1000000000 + 1000,
		.table = &snapshot.table,
	};

	snprintf(snapshot.word, sizeof(snapshot.word), "%s", word);
	snapshot.value.bytes = (const uint8_t *)snapshot.word;
	sink_snapshot(&world->store->sink, &fact);
}

static void take_value(struct world *world, uint64_t second, const char *word,
		       int64_t value)
{
	int64_t values[QUANTIZE_BUCKETS] = { 0 };

	values[quantize_bucket(value)] = 1;
	take(world, 0, second, word, values);
}

static char *values_of(struct world *world, int64_t from, int64_t to)
{
	struct text text = { 0 };

	store_put_values(&text, world->store, from, to);
	return text.p;
}

static void expect(struct world *world, int64_t from, int64_t to,
		   const char *expected)
{
	char *values = values_of(world, from, to);
	const char *columns = strstr(values, "\"columns\":");

	assert_non_null(columns);
	if (!strstr(values, expected))
		assert_string_equal(values, expected);
	free(values);
}

static void late_snapshots_merge(void **state)
{
	struct world *world = *state;

	take_value(world, 100, "sh", 5);
	take_value(world, 101, "sh", 5);
	/* for a second that had its snapshot: more rows, more buckets */
	take_value(world, 100, "sh", 5);
	take_value(world, 100, "sh", 900);
	take_value(world, 100, "cc", 5);
	expect(world, 0, INT64_MAX,
	       "\"columns\":[{\"t\":100000,\"set\":0,\"rows\":[[0,0,66,2,73,1],[1,0,66,1]],\"sources\":1},{\"t\":101000,\"set\":0,\"rows\":[[0,0,66,1]],\"sources\":1}]");
	expect(world, 101000, INT64_MAX,
	       "\"columns\":[{\"t\":101000,\"set\":0,");
	expect(world, 0, 100999,
	       "\"columns\":[{\"t\":100000,\"set\":0,\"rows\":[[0,0,66,2,73,1],[1,0,66,1]],\"sources\":1}]");
}

/* By the function's own rule, not by addition. */
static void minima_merge(void **state)
{
	struct world *world = *state;

	take(world, 1, 100, "sh", (const int64_t[]){ 7 });
	take(world, 1, 100, "sh", (const int64_t[]){ 3 });
	take(world, 1, 100, "sh", (const int64_t[]){ 9 });
	expect(world, 0, INT64_MAX,
	       "\"columns\":[{\"t\":100000,\"set\":0,\"rows\":[[0,0,3]],\"sources\":1}]");
}

static void old_columns_go(void **state)
{
	struct world *world = *state;

	for (uint64_t second = 100; second < 125; second++)
		take_value(world, second, "sh", 5);
	/* too late */
	take_value(world, 101, "sh", 5);
	assert_int_equal(world->store->columns_lost, 1);
	expect(world, 0, INT64_MAX, "\"columns\":[{\"t\":115000,");
	assert_int_equal(store_oldest(world->store), 115000);
	store_expire(world->store, 120000);
	assert_int_equal(store_oldest(world->store), 120000);
	store_evict(world->store, 120000);
	assert_int_equal(store_oldest(world->store), 121000);
}

static void memory_does_not_grow(void **state)
{
	struct world *world = *state;
	size_t before = 0;
	char word[16];

	for (uint64_t second = 1000; second < 30000; second++) {
		snprintf(word, sizeof(word), "p%u", (unsigned)second % 100);
		take_value(world, second, word, (int64_t)second);
		if (second == 2000)
			before = store_bytes(world->store);
	}
	/* words are of different lengths */
	assert_true(store_bytes(world->store) < before + 64);
	store_expire(world->store, INT64_MAX);
	assert_int_equal(store_oldest(world->store), INT64_MAX);
}

/* There are more than fit: those have one number together. */
static void too_many_keys(void **state)
{
	struct world *world = *state;
	char word[16];

	for (unsigned i = 0; i < 7; i++) {
		snprintf(word, sizeof(word), "key%u", i);
		take_value(world, 100, word, 5);
	}
	assert_int_equal(world->store->keys_lost, 3);
	expect(world, 0, INT64_MAX, "[\"key3\"],[\"(others)\"]]]");
	expect(world, 0, INT64_MAX, "[4,0,66,3]]");
	/* when their columns are gone, numbers are given again */
	for (uint64_t second = 200; second < 215; second++)
		take_value(world, second, "later", 5);
	expect(world, 0, INT64_MAX, "[\"later\"]");
	assert_int_equal(world->store->keys_lost, 3);
}

/* Memory is short: words of keys without columns go, and lines; columns stay. */
static void short_of_memory(void **state)
{
	struct world *world = *state;
	struct store *store = world->store;
	size_t before;

	take_value(world, 100, "early", 5);
	take_value(world, 101, "late", 5);
	store_evict(store, 100000);
	before = store_bytes(store);
	store_tidy(store);
	assert_true(store_bytes(store) < before);
	expect(world, 0, INT64_MAX, "[[],[\"late\"]]");
	expect(world, 0, INT64_MAX, "[1,0,66,1]");
	/* its number is free, and clients are told whose it is now */
	for (uint64_t second = 102; second < 106; second++) {
		char word[16];

		snprintf(word, sizeof(word), "key%u", (unsigned)second);
		take_value(world, second, word, 5);
	}
	expect(world, 0, INT64_MAX, "[[\"key104\"],[\"late\"]");

	for (unsigned i = 0; i < 3; i++)
		sink_fault(&store->sink, &(struct fact_fault){ .text = "bad" });
	assert_int_equal(store->nlines, 3);
	before = store_bytes(store);
	store_shrink(store);
	assert_int_equal(store->nlines, 1);
	assert_int_equal(store->log_lost, 2);
	assert_true(store_bytes(store) < before);
	store_shrink(store);
	assert_int_equal(store->nlines, 0);
	expect(world, 0, INT64_MAX, "[[\"key104\"],[\"late\"]");
}

static void keys_are_bytes(void **state)
{
	struct world *world = *state;

	take_value(world, 100, "a\"b\\\n<\xff", 5);
	expect(world, 0, INT64_MAX, "a\\\"b\\\\\\n<\\udcff");
}

static void count_event(void *context, const char *event,
			const struct text *data)
{
	char *out = context;

	strcat(out, event);
	strcat(out, strstr(text_str(data), "\"later\"") ? "! " : " ");
}

static void events_once(void **state)
{
	struct world *world = *state;
	char out[256] = "";

	take_value(world, 100, "sh", 5);
	take_value(world, 101, "sh", 5);
	take(world, 1, 101, "sh", (const int64_t[]){ 7 });
	store_flush(world->store, 1, count_event, out);
	assert_string_equal(out, "column column column ");
	*out = '\0';
	store_flush(world->store, 1, count_event, out);
	assert_string_equal(out, "");
	take_value(world, 100, "later", 5);
	store_flush(world->store, 1, count_event, out);
	assert_string_equal(out, "column! ");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(late_snapshots_merge), TEST(minima_merge),
		TEST(old_columns_go),	    TEST(memory_does_not_grow),
		TEST(too_many_keys),	    TEST(keys_are_bytes),
		TEST(events_once),	    TEST(short_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
