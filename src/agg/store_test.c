/* SPDX-License-Identifier: Apache-2.0 */
/* The store with hand-made tables: merging, order, control, joining. */
#include "agg/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agg/agg.h"
#include "agg/functions.h"
#include "base/text.h"

enum { NCPUS = 2, ENTRIES = 16, NAGGS = 4 };

/* ids of the aggregations of the fixture */
enum { BY_NUMBER, BY_NAME, MINIMUM, QUANTIZE };

struct fixture {
	struct options options;
	struct schema_field keys[NAGGS];
	struct schema_aggregation layouts[NAGGS], *aggregations[NAGGS];
	struct schema schema;
	struct bpf_agg_map aggs[NAGGS];
	struct bpf_maps maps;
	struct agg_store *store;
	struct text shown;
};

static const struct fact_probe probes[] = {
	{ 0, "", "", "", "", false, false },
	{ 1, "syscall", "vmlinux", "read", "entry", false, true },
	{ 2, "syscall", "vmlinux", "read", "return", false, true },
	{ 3, "syscall", "vmlinux", "open", "entry", false, true },
};

static const struct fact_probe *find(void *context, uint32_t id)
{
	(void)context;
	return &probes[id];
}

static void add_aggregation(struct fixture *f, uint32_t id, const char *name,
			    const struct function *function,
			    struct schema_field key)
{
	struct schema_aggregation *layout = &f->layouts[id];
	struct bpf_agg_map *map = &f->aggs[id];

	f->keys[id] = key;
	*layout = (struct schema_aggregation){
		.name = name,
		.function = function->name,
		.aggregate = function->aggregate,
		.id = id,
		.is_updated = true,
		.keys = &f->keys[id],
		.nkeys = 1,
		.key_size = 8,
		.nvalues = function->aggregate->nvalues(layout->params),
	};
	f->aggregations[id] = layout;
	map->entries = ENTRIES;
	map->entry_size = (uint32_t)sizeof(struct abi_agg_entry) + 8 +
			  layout->nvalues * 8;
	map->element_size = sizeof(struct abi_agg_table) +
			    (uint64_t)ENTRIES * map->entry_size;
	map->memory = calloc(NCPUS, map->element_size);
}

static int setup(void **state)
{
	static struct fixture f;
	const struct agg_names names = { .probe = find };
	struct schema_field number = {
		.form = FIELD_BYTES, .size = 4, .kind = FACT_INTEGER,
		.is_signed = true,
	};
	struct schema_field name = {
		.form = FIELD_PROBE_ID, .size = 4, .which = PROBE_FUNCTION,
		.kind = FACT_STRING,
	};

	f = (struct fixture){ 0 };
	options_init(&f.options);
	add_aggregation(&f, BY_NUMBER, "n", &agg_sum, number);
	add_aggregation(&f, BY_NAME, "f", &agg_count, name);
	add_aggregation(&f, MINIMUM, "m", &agg_min, number);
	add_aggregation(&f, QUANTIZE, "q", &agg_quantize, number);
	f.schema = (struct schema){
		.aggregations = f.aggregations,
		.naggregations = NAGGS,
	};
	f.maps = (struct bpf_maps){
		.ncpus = NCPUS,
		.aggs = f.aggs,
		.naggs = NAGGS,
	};
	f.store = agg_store_new(&f.schema, &f.maps, &f.options, &names);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	text_free(&f->shown);
	agg_store_free(f->store);
	for (unsigned i = 0; i < NAGGS; i++)
		free(f->aggs[i].memory);
	options_free(&f->options);
	return 0;
}

/* A program's entry in slot `slot`. */
static void put_at(struct fixture *f, uint32_t id, uint32_t cpu, uint32_t slot,
		   int32_t key, uint32_t word, int64_t value)
{
	struct bpf_agg_map *map = &f->aggs[id];
	struct abi_agg_entry *entry =
		(struct abi_agg_entry *)(map->memory + cpu * map->element_size +
					 sizeof(struct abi_agg_table) +
					 slot * map->entry_size);
	int64_t *values = (int64_t *)(entry + 1) + 1;

	if (!entry->tag)
		for (uint32_t i = 0; i < f->layouts[id].nvalues; i++)
			values[i] = agg_identity(f->layouts[id].aggregate, i);
	entry->tag = 3;
	memcpy(entry + 1, &key, sizeof(key));
	values[word] = value;
	entry->touched = 1;
}

static void put(struct fixture *f, uint32_t id, uint32_t cpu, uint32_t slot,
		int32_t key, int64_t value)
{
	put_at(f, id, cpu, slot, key, 0, value);
}

static void put_key(struct text *out, const struct fact_value *key)
{
	if (key->kind == FACT_STRING)
		text_add(out, (const char *)key->bytes, fact_length(key));
	else
		text_printf(out, "%lld", (long long)fact_integer(key));
}

/* A row: "key value value"; for a histogram: bucket:count. */
static bool show(void *data, const struct fact_table *table)
{
	struct text *out = data;

	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		assert_int_equal(row.nkeys, table->nkeys);
		put_key(out, &row.keys[0]);
		for (uint32_t n = 0; n < table->naggregations; n++) {
			const struct schema_aggregation *agg =
				table->aggregations[n];

			if (agg->aggregate->number)
				text_printf(out, " %lld",
					    (long long)agg->aggregate->number(
						    row.values[n],
						    table->normals[n]));
			else
				for (uint32_t b = 0; b < agg->nvalues; b++)
					if (row.values[n][b])
						text_printf(
							out, " %u:%lld", b,
							(long long)row
								.values[n][b]);
		}
		text_putc(out, '\n');
	}
	return true;
}

static void expect(struct fixture *f, const char *expected)
{
	assert_string_equal(text_str(&f->shown), expected);
	text_clear(&f->shown);
}

/* What printa() shows for these. */
static void expect_tables(struct fixture *f, const uint32_t *ids, uint32_t n,
			  const char *expected)
{
	struct agg_table *table = agg_table_new(f->store, ids, n);

	show(&f->shown, agg_table_fact(table));
	agg_table_free(table);
	expect(f, expected);
}

static void expect_table(struct fixture *f, uint32_t id, const char *expected)
{
	expect_tables(f, &id, 1, expected);
}

static void expect_rest(struct fixture *f, uint32_t most, const char *expected)
{
	assert_true(agg_store_show_rest(f->store, most, show, &f->shown));
	expect(f, expected);
}

static void test_merge(void **state)
{
	struct fixture *f = *state;

	put(f, BY_NUMBER, 0, 3, 5, 100);
	put(f, BY_NUMBER, 0, 4, 5, 1); /* twice in one table */
	put(f, BY_NUMBER, 1, 0, 5, 10);
	put(f, BY_NUMBER, 1, 1, -1, 7);
	put(f, BY_NUMBER, 1, 2, 6, 0); /* sum(0) is an element */
	expect_table(f, BY_NUMBER, "6 0\n-1 7\n5 111\n");
	/* taken once, then kept here */
	put(f, BY_NUMBER, 0, 3, 5, 1000);
	agg_store_drain(f->store, false);
	agg_store_drain(f->store, true);
	expect_table(f, BY_NUMBER, "6 0\n-1 7\n5 1111\n");
	/* printed by printa(): not again at the end */
	assert_int_equal(agg_store_count_rest(f->store), NAGGS - 1);
	expect_rest(f, 0, "");
}

static void test_untouched(void **state)
{
	struct fixture *f = *state;
	struct abi_agg_entry *entry =
		(struct abi_agg_entry *)(f->aggs[BY_NUMBER].memory +
					 sizeof(struct abi_agg_table));

	put(f, BY_NUMBER, 0, 0, 1, 4);
	entry->touched = 0;
	agg_store_drain(f->store, false);
	assert_int_equal(f->store->variables[BY_NUMBER].count, 0);
	/* the last drain does not rely on the flag */
	agg_store_drain(f->store, true);
	assert_int_equal(f->store->variables[BY_NUMBER].count, 1);
	/* a busy slot has no key yet */
	entry->tag = AGG_TAG_BUSY;
	entry->touched = 1;
	agg_store_drain(f->store, true);
	assert_int_equal(entry->touched, 1);
}

static void test_names(void **state)
{
	struct fixture *f = *state;

	put(f, BY_NAME, 0, 0, 1, 2); /* read:entry */
	put(f, BY_NAME, 1, 0, 2, 3); /* read:return */
	put(f, BY_NAME, 1, 1, 3, 5); /* open:entry */
	expect_table(f, BY_NAME, "open 5\nread 5\n");
}

static void test_order(void **state)
{
	struct fixture *f = *state;

	put(f, BY_NUMBER, 0, 0, 3, 1);
	put(f, BY_NUMBER, 0, 1, 2, 2);
	put(f, BY_NUMBER, 0, 2, -1, 2);
	option_set(&f->options, "aggsortrev", NULL, ORIGIN_SETOPT);
	expect_table(f, BY_NUMBER, "-1 2\n2 2\n3 1\n");
	option_set(&f->options, "aggsortrev", "no", ORIGIN_SETOPT);
	option_set(&f->options, "aggsortkey", NULL, ORIGIN_SETOPT);
	expect_table(f, BY_NUMBER, "2 2\n3 1\n-1 2\n");
}

static void fill(struct fixture *f)
{
	for (int32_t i = 1; i <= 5; i++)
		put(f, BY_NUMBER, 0, (uint32_t)i, i, i * 10);
}

static uint32_t count(struct fixture *f, uint32_t id)
{
	return f->store->variables[id].count;
}

static void test_trunc(void **state)
{
	struct fixture *f = *state;
	struct agg_store *store = f->store;

	fill(f);
	agg_store_trunc(store, BY_NUMBER, 10, true);
	assert_int_equal(count(f, BY_NUMBER), 5);
	agg_store_trunc(store, BY_NUMBER, 3, true);
	agg_store_trunc(store, BY_NUMBER, -2, true);
	expect_table(f, BY_NUMBER, "3 30\n4 40\n");
	fill(f);
	agg_store_trunc(store, BY_NUMBER, 0, true);
	assert_int_equal(count(f, BY_NUMBER), 0);
	fill(f);
	agg_store_trunc(store, BY_NUMBER, 0, false);
	assert_int_equal(count(f, BY_NUMBER), 0);
	fill(f);
	agg_store_trunc(store, BY_NUMBER, INT64_MIN, true);
	assert_int_equal(count(f, BY_NUMBER), 5);
}

static void test_clear_and_normalize(void **state)
{
	struct fixture *f = *state;
	struct agg_store *store = f->store;

	put(f, BY_NUMBER, 0, 0, 1, -35);
	agg_store_normalize(store, BY_NUMBER, 10);
	agg_store_normalize(store, BY_NUMBER, 0);
	expect_table(f, BY_NUMBER, "1 -3\n");
	agg_store_denormalize(store, BY_NUMBER);
	expect_table(f, BY_NUMBER, "1 -35\n");
	put(f, BY_NUMBER, 0, 0, 1, 4);
	agg_store_clear(store, BY_NUMBER);
	expect_table(f, BY_NUMBER, "1 0\n");
}

static void test_minimum(void **state)
{
	struct fixture *f = *state;

	put(f, MINIMUM, 0, 0, 1, 9);
	put(f, MINIMUM, 1, 0, 1, 4);
	agg_store_drain(f->store, false);
	put(f, MINIMUM, 1, 0, 1, 6);
	agg_store_drain(f->store, true);
	expect_rest(f, 0, "1 4\n");
}

/* -x top: as many rows as the screen has, those with the largest values. */
static void test_rest(void **state)
{
	struct fixture *f = *state;

	fill(f);
	put(f, MINIMUM, 0, 0, 1, 9);
	agg_store_drain(f->store, true);
	assert_int_equal(agg_store_count_rest(f->store), NAGGS);
	expect_rest(f, 2, "4 40\n5 50\n1 9\n");
	option_set(&f->options, "aggsortrev", NULL, ORIGIN_SETOPT);
	expect_rest(f, 2, "1 9\n5 50\n4 40\n");
}

static void test_join(void **state)
{
	struct fixture *f = *state;
	const uint32_t both[] = { BY_NUMBER, MINIMUM };

	put(f, BY_NUMBER, 0, 0, 1, 5);
	put(f, BY_NUMBER, 0, 1, 2, 4);
	put(f, MINIMUM, 0, 0, 1, 9);
	put(f, MINIMUM, 0, 1, 3, 8);
	option_set(&f->options, "aggsortpos", "1", ORIGIN_SETOPT);
	expect_tables(f, both, 2, "2 4 0\n3 0 8\n1 5 9\n");
}

static void test_histogram(void **state)
{
	struct fixture *f = *state;

	put_at(f, QUANTIZE, 0, 0, 1, QUANTIZE_ZERO + 1, 3);
	put_at(f, QUANTIZE, 1, 0, 1, QUANTIZE_ZERO + 1, 1);
	expect_table(f, QUANTIZE, "1 64:4\n");
}

/* -x aggpercpu: what each CPU contributed, and nothing else. */
static void test_cpus(void **state)
{
	struct fixture *f = *state;
	const uint32_t both[] = { BY_NUMBER, MINIMUM };
	struct fact_row row;

	option_set(&f->options, "aggpercpu", NULL, ORIGIN_COMMAND);
	agg_store_free(f->store);
	f->store = agg_store_new(&f->schema, &f->maps, &f->options,
				 &(struct agg_names){ .probe = find });
	put(f, BY_NUMBER, 0, 0, 1, 5);
	put(f, BY_NUMBER, 1, 0, 1, 6);
	put(f, MINIMUM, 1, 0, 1, 9);
	struct agg_table *table = agg_table_new(f->store, both, 2);
	const struct fact_table *fact = agg_table_fact(table);

	assert_true(fact->is_per_cpu);
	assert_int_equal(fact->nrows, 1);
	fact->row(fact, 0, &row);
	assert_int_equal(row.ncpus, 3);
	for (uint32_t i = 0; i < row.ncpus; i++) {
		static const int64_t values[] = { 5, 6, 9 };

		assert_int_equal(row.cpus[i].cpu, i > 0);
		assert_int_equal(row.cpus[i].aggregation, i > 1);
		assert_int_equal(row.cpus[i].values[0], values[i]);
	}
	agg_table_free(table);
}

static void test_drops(void **state)
{
	struct fixture *f = *state;
	struct bpf_agg_map *map = &f->aggs[MINIMUM];
	struct abi_agg_table *table =
		(struct abi_agg_table *)(map->memory + map->element_size);

	table->drops = 3;
	assert_int_equal(agg_store_drops(f->store, 0), 0);
	assert_int_equal(agg_store_drops(f->store, 1), 3);
	table->drops = 4;
	assert_int_equal(agg_store_drops(f->store, 1), 1);
}

static void expect_count(struct fixture *f, uint64_t key, int64_t expected)
{
	struct agg_variable *variable = &f->store->variables[BY_NUMBER];
	struct agg_element *element = agg_variable_find(variable, &key);

	assert_non_null(element);
	assert_int_equal(agg_values(variable, element)[0], expected);
}

static void test_many(void **state)
{
	struct fixture *f = *state;

	for (int32_t i = 0; i < 1000; i++) {
		put(f, BY_NUMBER, 0, 0, i % 500, 1);
		agg_store_drain(f->store, false);
	}
	assert_int_equal(count(f, BY_NUMBER), 500);
	expect_count(f, 77, 2);
}

/* A crowded table: idle entries are freed when no program is using them. */
static void test_room(void **state)
{
	struct fixture *f = *state;
	struct abi_agg_table *table =
		(struct abi_agg_table *)f->aggs[BY_NUMBER].memory;
	struct abi_agg_entry *entry = (struct abi_agg_entry *)(table + 1);
	int64_t *values = (int64_t *)(entry + 1) + 1;

	for (int32_t i = 0; i < ENTRIES; i++)
		put(f, BY_NUMBER, 0, (uint32_t)i, i, 1);
	if (!agg_can_wait(f->store))
		return; /* one CPU: nothing is ever freed */
	agg_store_drain_for_room(f->store);
	assert_int_equal(entry->tag, 3);
	/* A program that may sleep has found the entry before. */
	table->users = 1;
	agg_store_drain_for_room(f->store);
	assert_int_equal(entry->tag, 3 - AGG_TAG_OPEN);
	values[0] = 5;
	entry->touched = 1;
	table->users = 0;
	agg_store_drain_for_room(f->store);
	assert_int_equal(entry->tag, AGG_TAG_EMPTY);
	expect_count(f, 0, 6);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_merge), TEST(test_untouched), TEST(test_names),
		TEST(test_order), TEST(test_trunc),
		TEST(test_clear_and_normalize), TEST(test_minimum),
		TEST(test_rest), TEST(test_join), TEST(test_histogram),
		TEST(test_cpus), TEST(test_drops), TEST(test_many),
		TEST(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
