/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values, files and lines in Go's tables of both layouts that have them, built
 * here; cut at every length and with bytes changed they must
 * do no harm.
 */
#include "proc/go_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT = 0x401000, SIZE = 512, START = 0x20, END = 0x60 };
/* places in the table */
enum { NAMES = 80, UNITS = 128, FILES = 160, VALUES = 224, PAIRS = 288 };
enum { DESCRIPTION = 32, STACK = 1, LINES = 16, NODES = 32 };

static const char names[] = "\0main.main";
static const char files[] = "a.go\0b/c.go";

static void put(uint8_t *at, uint64_t number, size_t width)
{
	memcpy(at, &number, width);
}

static void put_words(uint8_t *at, const uint32_t *words, size_t count)
{
	memcpy(at, words, count * sizeof(*words));
}

static void make(bool is_20, uint8_t *table)
{
	/* the stack pointer: 0 for 4 bytes, 24 for 48, 0 for the rest */
	static const uint8_t stack[] = { 2, 4, 48, 48, 47, 12, 0 };
	/* lines: 7, then 9 from byte 16 on; a change of 64 takes two bytes */
	static const uint8_t lines[] = { 16, 16, 4, 8, 0x80, 1, 40, 0 };
	/* node 0 of inlined calls from byte 16 to 24 */
	static const uint8_t nodes[] = { 0, 16, 2, 8, 1, 40, 0 };
	uint8_t *at = table + PAIRS + DESCRIPTION;

	memset(table, 0, SIZE);
	put(table, is_20 ? 0xfffffff1 : 0xfffffff0, 4);
	table[6] = 1;
	table[7] = 8;
	put(table + 8, 1, 8);
	put(table + 24, TEXT, 8);
	put(table + 32, NAMES, 8);
	put(table + 40, UNITS, 8);
	put(table + 48, FILES, 8);
	put(table + 56, VALUES, 8);
	put(table + 64, PAIRS, 8);
	memcpy(table + NAMES, names, sizeof(names));
	put_words(table + UNITS, (uint32_t[]){ UINT32_MAX, 0, 5 }, 3);
	memcpy(table + FILES, files, sizeof(files));
	memcpy(table + VALUES + STACK, stack, sizeof(stack));
	memcpy(table + VALUES + LINES, lines, sizeof(lines));
	memcpy(table + VALUES + NODES, nodes, sizeof(nodes));
	put_words(table + PAIRS, (uint32_t[]){ START, DESCRIPTION, END }, 3);
	/* start, name, arguments, defer, stack, files, lines, lists, unit */
	put_words(at, (uint32_t[]){ START, 1, 0, 0, STACK, 0, LINES, 3, 1 }, 9);
	at += is_20 ? 40 : 36;
	at[1] = GO_SWITCHES;
	at[3] = 4;
	put_words(at + 4, (uint32_t[]){ 0, 0, NODES, 1, 2, 3, 0x1234 }, 7);
}

static void test_function(void **state)
{
	uint8_t table[SIZE + 1] = { 0 };
	struct go_function function;
	struct go_table go;
	size_t n;

	(void)state;
	for (int is_20 = 0; is_20 < 2; is_20++) {
		make(is_20, table);
		assert_true(go_table_open(&go, table, SIZE, 0));
		assert_false(go_table_find(&go, TEXT + START - 1, &n));
		assert_false(go_table_find(&go, TEXT + END, &n));
		assert_true(go_table_find(&go, TEXT + END - 1, &n));
		assert_int_equal(n, 0);
		assert_true(go_table_function(&go, 0, &function));
		assert_string_equal(function.name, "main.main");
		assert_int_equal(function.start, TEXT + START);
		assert_int_equal(function.end, TEXT + END);
		assert_int_equal(function.flags, GO_SWITCHES);
		assert_int_equal(function.unit, 1);
		assert_int_equal(function.inlined, 0x1234);
		assert_string_equal(go_table_file(&go, &function, 0), "a.go");
		assert_string_equal(go_table_file(&go, &function, 1), "b/c.go");
		assert_string_equal(go_table_file(&go, &function, 99), "");
		assert_string_equal(go_table_file(&go, &function, -1), "");
	}
}

static void test_values(void **state)
{
	static const struct {
		enum go_value which;
		unsigned at;
		int32_t value;
	} cases[] = {
		{ GO_STACK, 0, 0 },	{ GO_STACK, 3, 0 },
		{ GO_STACK, 4, 24 },	{ GO_STACK, 51, 24 },
		{ GO_STACK, 52, 0 },	{ GO_LINE, 0, 7 },
		{ GO_LINE, 15, 7 },	{ GO_LINE, 16, 9 },
		{ GO_LINE, 24, 73 },	{ GO_INLINED, 0, -1 },
		{ GO_INLINED, 16, 0 },	{ GO_INLINED, 23, 0 },
		{ GO_INLINED, 24, -1 },
	};
	uint8_t table[SIZE + 1] = { 0 };
	struct go_function function;
	struct go_table go;
	int32_t value;
	uint32_t work = 0;

	(void)state;
	make(true, table);
	assert_true(go_table_open(&go, table, SIZE, 0));
	assert_true(go_table_function(&go, 0, &function));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_true(go_table_value(&go, &function, cases[i].which,
					   function.start + cases[i].at, &value,
					   &work));
		assert_int_equal(value, cases[i].value);
	}
	assert_false(go_table_value(&go, &function, GO_FILE, function.start,
				    &value, &work));
}

static void read_all(const uint8_t *bytes, size_t size)
{
	uint8_t *own = malloc(size + 1);
	struct go_function function;
	struct go_table go;

	assert_non_null(own);
	memcpy(own, bytes, size);
	own[size] = 0;
	if (go_table_open(&go, own, size, TEXT))
		for (size_t n = 0; n < go.count; n++) {
			if (!go_table_function(&go, n, &function))
				continue;
			assert_true(function.name + strlen(function.name) <=
				    (const char *)own + size);
			for (int which = 0; which < GO_VALUES; which++) {
				int32_t value = 0;
				uint32_t work = 0;

				go_table_value(&go, &function,
					       (enum go_value)which,
					       function.end - 1, &value, &work);
				assert_true(strlen(go_table_file(&go, &function,
								 value)) <=
					    size);
			}
		}
	free(own);
}

static void test_cut_and_changed(void **state)
{
	enum { ROUNDS = 20000 };
	uint8_t table[SIZE];

	(void)state;
	srand(1);
	for (int is_20 = 0; is_20 < 2; is_20++) {
		make(is_20, table);
		for (size_t size = 0; size <= SIZE; size++)
			read_all(table, size);
		for (unsigned n = 0; n < ROUNDS; n++) {
			make(is_20, table);
			for (unsigned k = 0; k < 1 + n % 4; k++)
				table[8 + rand() % (SIZE - 8)] =
					(uint8_t)rand();
			read_all(table, SIZE);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_function),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_cut_and_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
