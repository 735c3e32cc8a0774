/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Go's tables of functions in all their layouts, built here; truncated at every
 * length, and with bytes changed, they must do no harm.
 */
#include "proc/go_functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT = 0x401000, SIZE = 512, FUNCTIONS = 3 };
enum { NAMES_AT = 128, PAIRS_AT = 256, DESCRIPTIONS = 128 };

static const char names[] =
	"\0main.main\0main.(*list[...]).add\0runtime.goexit";
static const struct {
	uint32_t start, name;
} functions[FUNCTIONS] = { { 0, 1 }, { 0x40, 11 }, { 0x48, 33 } };
enum { END = 0x60 };

static const struct layout {
	uint32_t magic;
	size_t width;
	bool has_text; /* addresses are relative to it */
} layouts[] = {
	{ 0xfffffffb, 8, false },
	{ 0xfffffffa, 8, false },
	{ 0xfffffff0, 4, true },
	{ 0xfffffff1, 4, true },
};

static void put(uint8_t *at, uint64_t number, size_t width)
{
	memcpy(at, &number, width);
}

static void make(const struct layout *layout, uint8_t *table)
{
	bool is_old = layout->magic == 0xfffffffb;
	size_t pairs = is_old ? 16 : PAIRS_AT, base = is_old ? 0 : PAIRS_AT;
	size_t word = 8;

	memset(table, 0, SIZE);
	put(table, layout->magic, 4);
	table[6] = 1;
	table[7] = 8;
	put(table + word, FUNCTIONS, 8);
	if (!is_old) {
		word += 16; /* files */
		if (layout->has_text)
			put(table + word, TEXT, 8), word += 8;
		put(table + word, NAMES_AT, 8);
		put(table + word + 8, NAMES_AT + sizeof(names), 8);
		put(table + word + 32, PAIRS_AT, 8);
	}
	memcpy(table + NAMES_AT, names, sizeof(names));
	for (size_t i = 0; i <= FUNCTIONS; i++) {
		uint64_t start = i < FUNCTIONS ? functions[i].start : END;
		uint8_t *pair = table + pairs + 2 * i * layout->width;
		size_t description = DESCRIPTIONS + 24 * i + (is_old ? 128 : 0);

		put(pair, layout->has_text ? start : TEXT + start,
		    layout->width);
		if (i == FUNCTIONS)
			break;
		put(pair + layout->width, description, layout->width);
		put(table + base + description + layout->width,
		    functions[i].name + (is_old ? NAMES_AT : 0), 4);
	}
}

/* The bytes become the table's, if it is one. */
static bool parse(const uint8_t *bytes, size_t size, struct elf_table *table)
{
	uint8_t *own = malloc(size + 1);

	assert_non_null(own);
	memcpy(own, bytes, size);
	own[size] = 0;
	if (go_functions_parse(own, size, TEXT, 1, table))
		return true;
	free(own);
	return false;
}

static void drop(struct elf_table *table)
{
	free(table->symbols);
	free(table->names);
}

static void check_functions(struct elf_table *table)
{
	assert_int_equal(table->count, FUNCTIONS);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		uint64_t end = i + 1 < FUNCTIONS ? functions[i + 1].start : END;

		assert_int_equal(table->symbols[i].st_value,
				 TEXT + functions[i].start);
		assert_int_equal(table->symbols[i].st_size,
				 end - functions[i].start);
		assert_string_equal(elf_table_name(table, &table->symbols[i]),
				    names + functions[i].name);
	}
}

static void test_layouts(void **state)
{
	uint8_t bytes[SIZE];
	struct elf_table table;

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		make(&layouts[i], bytes);
		assert_true(parse(bytes, SIZE, &table));
		check_functions(&table);
		drop(&table);
	}
}

/* The linker left the start of code to a relocation. */
static void test_without_text(void **state)
{
	uint8_t bytes[SIZE];
	struct elf_table table;

	(void)state;
	make(&layouts[2], bytes);
	put(bytes + 24, 0, 8);
	assert_true(parse(bytes, SIZE, &table));
	check_functions(&table);
	drop(&table);
}

static void test_refused(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
		size_t width;
	} changes[] = {
		{ 0, 0xfffffff2, 4 }, /* a layout of the future */
		{ 4, 1, 1 },	       { 6, 4, 1 },	      { 7, 4, 1 },
		{ 8, 0, 8 },	       { 8, UINT64_MAX, 8 },  { 8, SIZE, 8 },
		{ 32, SIZE, 8 },       { 32, UINT64_MAX, 8 }, /* names */
		{ 40, 0, 8 },	       { 40, UINT64_MAX, 8 }, { 64, SIZE, 8 },
		{ 64, UINT64_MAX, 8 }, /* pairs */
	};
	uint8_t bytes[SIZE];
	struct elf_table table;

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		make(&layouts[2], bytes);
		put(bytes + changes[i].at, changes[i].value, changes[i].width);
		assert_false(parse(bytes, SIZE, &table));
	}
}

static void read_all(struct elf_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const char *name = elf_table_name(table, &table->symbols[i]);

		if (!name)
			continue;
		assert_true(name + strlen(name) <=
			    table->names + table->names_size);
	}
}

/* A version is cut off; a name that begins with one is not a name. */
static void test_shared_names(void **state)
{
	uint8_t bytes[SIZE];
	struct elf_table table;

	(void)state;
	make(&layouts[0], bytes);
	memcpy(bytes + NAMES_AT + functions[1].name - 1, "f@", 2);
	bytes[NAMES_AT + functions[1].name - 2] = 0;
	put(bytes + DESCRIPTIONS + 128 + 8, NAMES_AT + functions[1].name - 1,
	    4);
	assert_true(parse(bytes, SIZE, &table));
	assert_int_equal(table.count, FUNCTIONS);
	assert_string_equal(elf_table_name(&table, &table.symbols[0]), "f");
	assert_null(elf_table_name(&table, &table.symbols[1]));
	drop(&table);
}

static void test_cut_and_changed(void **state)
{
	enum { ROUNDS = 20000 };
	uint8_t bytes[SIZE];
	struct elf_table table;

	(void)state;
	srand(1);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		for (size_t size = 0; size <= SIZE; size++) {
			make(&layouts[i], bytes);
			if (!parse(bytes, size, &table))
				continue;
			read_all(&table);
			drop(&table);
		}
		for (unsigned n = 0; n < ROUNDS; n++) {
			make(&layouts[i], bytes);
			for (unsigned k = 0; k < 1 + n % 4; k++)
				bytes[8 + rand() % (SIZE - 8)] =
					(uint8_t)rand();
			if (!parse(bytes, SIZE, &table))
				continue;
			read_all(&table);
			drop(&table);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_without_text),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_shared_names),
		cmocka_unit_test(test_cut_and_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
