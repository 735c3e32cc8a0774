/* SPDX-License-Identifier: Apache-2.0 */
/* The store on tables made by hand: merging, order, control, printing. */
#include "run/aggregate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agg/functions.h"

enum { NCPUS = 2, ENTRIES = 16, NAGGS = 4 };

/* ids of the aggregations of the fixture */
enum { BY_NUMBER, BY_NAME, MINIMUM, QUANTIZE };

struct fixture {
	struct arena *arena;
	struct types *types;
	struct options options;
	struct printer printer;
	char *output;
	size_t output_size;
	struct ident idents[NAGGS];
	struct record_field keys[NAGGS];
	struct agg_layout layouts[NAGGS];
	struct bpf_agg_map aggs[NAGGS];
	struct bpf_maps maps;
};

static const struct lower_probe probes[] = {
	{ 0, "", "", "", "", false },
	{ 1, "syscall", "vmlinux", "read", "entry", false },
	{ 2, "syscall", "vmlinux", "read", "return", false },
	{ 3, "syscall", "vmlinux", "open", "entry", false },
};

static const struct lower_probe *find(void *context, uint32_t id)
{
	(void)context;
	return &probes[id];
}

static void add_aggregation(struct fixture *f, uint32_t id, const char *name,
			    const struct function *function,
			    struct record_field key)
{
	struct agg_layout *layout = &f->layouts[id];
	struct bpf_agg_map *map = &f->aggs[id];

	f->idents[id] = (struct ident){ .name = name, .id = id };
	f->keys[id] = key;
	*layout = (struct agg_layout){
		.ident = &f->idents[id], .function = function,
		.keys = &f->keys[id], .nkeys = 1, .key_size = 8,
		.nvalues = function->aggregate->nvalues(layout->params),
	};
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

	f = (struct fixture){ .arena = arena_new() };
	f.types = types_new(f.arena, 256);
	types_without_kernel(f.types);
	options_init(&f.options);
	f.printer = (struct printer){
		.file = open_memstream(&f.output, &f.output_size),
		.options = &f.options, .types = f.types, .find_probe = find,
	};
	struct record_field number = {
		.form = FIELD_BYTES, .size = 4,
		.type = types_base(f.types, BASE_INT),
	};
	struct record_field name = {
		.form = FIELD_PROBE_ID, .size = 4, .which = PROBE_FUNCTION,
	};

	add_aggregation(&f, BY_NUMBER, "n", &agg_sum, number);
	add_aggregation(&f, BY_NAME, "f", &agg_count, name);
	add_aggregation(&f, MINIMUM, "m", &agg_min, number);
	add_aggregation(&f, QUANTIZE, "q", &agg_quantize, number);
	f.maps = (struct bpf_maps){
		.ncpus = NCPUS, .aggs = f.aggs, .naggs = NAGGS,
	};
	f.printer.aggs = agg_store_new(&f.printer, f.layouts, NAGGS, &f.maps);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	fclose(f->printer.file);
	free(f->output);
	agg_store_free(f->printer.aggs);
	for (unsigned i = 0; i < NAGGS; i++)
		free(f->aggs[i].memory);
	types_free(f->types);
	options_free(&f->options);
	arena_free(f->arena);
	return 0;
}

/* A program's entry in slot `slot`. */
static void put_at(struct fixture *f, uint32_t id, uint32_t cpu, uint32_t slot,
		   int32_t key, uint32_t word, int64_t value)
{
	struct bpf_agg_map *map = &f->aggs[id];
	struct abi_agg_entry *entry = (struct abi_agg_entry *)
		(map->memory + cpu * map->element_size +
		 sizeof(struct abi_agg_table) + slot * map->entry_size);
	int64_t *values = (int64_t *)(entry + 1) + 1;

	if (!entry->tag)
		for (uint32_t i = 0; i < f->layouts[id].nvalues; i++)
			values[i] = f->layouts[id].function->aggregate->identity;
	entry->tag = 2;
	memcpy(entry + 1, &key, sizeof(key));
	values[word] = value;
	entry->touched = 1;
}

static void put(struct fixture *f, uint32_t id, uint32_t cpu, uint32_t slot,
		int32_t key, int64_t value)
{
	put_at(f, id, cpu, slot, key, 0, value);
}

static void expect(struct fixture *f, const char *expected)
{
	fflush(f->printer.file);
	assert_string_equal(f->output, expected);
	rewind(f->printer.file);
	fflush(f->printer.file);
}

static void print(struct fixture *f, uint32_t id)
{
	struct ident *ident = &f->idents[id];

	rewind(f->printer.file);
	assert_true(agg_store_print(&f->printer, &ident, 1, NULL));
	fputc('\0', f->printer.file);
}

static void test_merge(void **state)
{
	struct fixture *f = *state;

	put(f, BY_NUMBER, 0, 3, 5, 100);
	put(f, BY_NUMBER, 0, 4, 5, 1);		/* twice in one table */
	put(f, BY_NUMBER, 1, 0, 5, 10);
	put(f, BY_NUMBER, 1, 1, -1, 7);
	put(f, BY_NUMBER, 1, 2, 6, 0);		/* sum(0) is an element */
	print(f, BY_NUMBER);
	expect(f, "\n        6                0\n"
		  "       -1                7\n"
		  "        5              111\n");
	/* taken once, then kept here */
	put(f, BY_NUMBER, 0, 3, 5, 1000);
	agg_store_drain(f->printer.aggs, false);
	agg_store_drain(f->printer.aggs, true);
	print(f, BY_NUMBER);
	expect(f, "\n        6                0\n"
		  "       -1                7\n"
		  "        5             1111\n");
	/* printed by printa(): not again at the end */
	rewind(f->printer.file);
	agg_store_print_rest(&f->printer);
	fputc('\0', f->printer.file);
	expect(f, "");
}

static void test_untouched(void **state)
{
	struct fixture *f = *state;
	struct abi_agg_entry *entry = (struct abi_agg_entry *)
		(f->aggs[BY_NUMBER].memory + sizeof(struct abi_agg_table));

	put(f, BY_NUMBER, 0, 0, 1, 4);
	entry->touched = 0;
	agg_store_drain(f->printer.aggs, false);
	assert_int_equal(f->printer.aggs->variables[BY_NUMBER].count, 0);
	/* the last drain does not rely on the flag */
	agg_store_drain(f->printer.aggs, true);
	assert_int_equal(f->printer.aggs->variables[BY_NUMBER].count, 1);
	/* a busy slot is nobody's yet */
	entry->tag = AGG_TAG_BUSY;
	entry->touched = 1;
	agg_store_drain(f->printer.aggs, true);
	assert_int_equal(entry->touched, 1);
}

static void test_names(void **state)
{
	struct fixture *f = *state;

	put(f, BY_NAME, 0, 0, 1, 2);	/* read:entry */
	put(f, BY_NAME, 1, 0, 2, 3);	/* read:return */
	put(f, BY_NAME, 1, 1, 3, 5);	/* open:entry */
	print(f, BY_NAME);
	expect(f, "\n"
	"  open                                                              5\n"
	"  read                                                              5\n");
}

static void test_order(void **state)
{
	struct fixture *f = *state;

	put(f, BY_NUMBER, 0, 0, 3, 1);
	put(f, BY_NUMBER, 0, 1, 2, 2);
	put(f, BY_NUMBER, 0, 2, -1, 2);
	option_set(&f->options, "aggsortrev", NULL, ORIGIN_SETOPT);
	print(f, BY_NUMBER);
	expect(f, "\n       -1                2\n"
		  "        2                2\n"
		  "        3                1\n");
	option_set(&f->options, "aggsortrev", "no", ORIGIN_SETOPT);
	option_set(&f->options, "aggsortkey", NULL, ORIGIN_SETOPT);
	print(f, BY_NUMBER);
	expect(f, "\n        2                2\n"
		  "        3                1\n"
		  "       -1                2\n");
}

static void fill(struct fixture *f)
{
	for (int32_t i = 1; i <= 5; i++)
		put(f, BY_NUMBER, 0, (uint32_t)i, i, i * 10);
}

static uint32_t count(struct fixture *f, uint32_t id)
{
	return f->printer.aggs->variables[id].count;
}

static void test_trunc(void **state)
{
	struct fixture *f = *state;
	struct agg_store *store = f->printer.aggs;
	const struct ident *ident = &f->idents[BY_NUMBER];

	fill(f);
	agg_store_trunc(store, ident, 10, true);
	assert_int_equal(count(f, BY_NUMBER), 5);
	agg_store_trunc(store, ident, 3, true);
	agg_store_trunc(store, ident, -2, true);
	print(f, BY_NUMBER);
	expect(f, "\n        3               30\n"
		  "        4               40\n");
	fill(f);
	agg_store_trunc(store, ident, 0, true);
	assert_int_equal(count(f, BY_NUMBER), 0);
	fill(f);
	agg_store_trunc(store, ident, 0, false);
	assert_int_equal(count(f, BY_NUMBER), 0);
	fill(f);
	agg_store_trunc(store, ident, INT64_MIN, true);
	assert_int_equal(count(f, BY_NUMBER), 5);
}

static void test_clear_and_normalize(void **state)
{
	struct fixture *f = *state;
	struct agg_store *store = f->printer.aggs;
	const struct ident *ident = &f->idents[BY_NUMBER];

	put(f, BY_NUMBER, 0, 0, 1, -35);
	agg_store_normalize(store, ident, 10);
	agg_store_normalize(store, ident, 0);
	print(f, BY_NUMBER);
	expect(f, "\n        1               -3\n");
	agg_store_denormalize(store, ident);
	print(f, BY_NUMBER);
	expect(f, "\n        1              -35\n");
	put(f, BY_NUMBER, 0, 0, 1, 4);
	agg_store_clear(store, ident);
	print(f, BY_NUMBER);
	expect(f, "\n        1                0\n");
}

static void test_minimum(void **state)
{
	struct fixture *f = *state;

	put(f, MINIMUM, 0, 0, 1, 9);
	put(f, MINIMUM, 1, 0, 1, 4);
	agg_store_drain(f->printer.aggs, false);
	put(f, MINIMUM, 1, 0, 1, 6);
	rewind(f->printer.file);
	agg_store_drain(f->printer.aggs, true);
	agg_store_print_rest(&f->printer);
	fputc('\0', f->printer.file);
	expect(f, "        1                4\n");
}

static void test_join(void **state)
{
	struct fixture *f = *state;
	struct ident *both[] = { &f->idents[BY_NUMBER], &f->idents[MINIMUM] };

	put(f, BY_NUMBER, 0, 0, 1, 5);
	put(f, BY_NUMBER, 0, 1, 2, 4);
	put(f, MINIMUM, 0, 0, 1, 9);
	put(f, MINIMUM, 0, 1, 3, 8);
	option_set(&f->options, "aggsortpos", "1", ORIGIN_SETOPT);
	rewind(f->printer.file);
	assert_true(agg_store_print(&f->printer, both, 2, NULL));
	fputc('\0', f->printer.file);
	expect(f, "\n        2                4                0\n"
		  "        3                0                8\n"
		  "        1                5                9\n");
}

static void test_histogram(void **state)
{
	struct fixture *f = *state;

	put_at(f, QUANTIZE, 0, 0, 1, QUANTIZE_ZERO + 1, 3);
	put_at(f, QUANTIZE, 1, 0, 1, QUANTIZE_ZERO + 1, 1);
	print(f, QUANTIZE);
	expect(f, "\n        1\n"
	"           value  ------------- Distribution ------------- count    \n"
	"               0 |                                         0        \n"
	"               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 4        \n"
	"               2 |                                         0        \n"
	"\n");
}

static void test_drops(void **state)
{
	struct fixture *f = *state;
	struct bpf_agg_map *map = &f->aggs[MINIMUM];
	struct abi_agg_table *table =
		(struct abi_agg_table *)(map->memory + map->element_size);

	table->drops = 3;
	assert_int_equal(agg_store_drops(f->printer.aggs, 0), 0);
	assert_int_equal(agg_store_drops(f->printer.aggs, 1), 3);
	table->drops = 4;
	assert_int_equal(agg_store_drops(f->printer.aggs, 1), 1);
}

static void test_many(void **state)
{
	struct fixture *f = *state;

	for (int32_t i = 0; i < 1000; i++) {
		put(f, BY_NUMBER, 0, 0, i % 500, 1);
		agg_store_drain(f->printer.aggs, false);
	}
	assert_int_equal(count(f, BY_NUMBER), 500);
	uint64_t key = 77;
	struct agg_variable *variable = &f->printer.aggs->variables[BY_NUMBER];
	struct agg_element *element = agg_variable_find(variable, &key);

	assert_non_null(element);
	assert_int_equal(agg_values(variable, element)[0], 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_merge), TEST(test_untouched), TEST(test_names),
		TEST(test_order), TEST(test_trunc),
		TEST(test_clear_and_normalize), TEST(test_minimum),
		TEST(test_join), TEST(test_histogram), TEST(test_drops),
		TEST(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
