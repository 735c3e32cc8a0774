/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, times, rates and switches, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/quantity.h"

struct row {
	const char *text;
	bool is_good;
	int64_t number;
};

static void check(bool (*read)(const char *text, int64_t *number),
		  const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t number = 0;

		assert_int_equal(read(rows[i].text, &number), rows[i].is_good);
		if (rows[i].is_good)
			assert_int_equal(number, rows[i].number);
	}
}

#define CHECK(read, rows) check(read, rows, sizeof(rows) / sizeof(*(rows)))

static void test_sizes(void **state)
{
	static const struct row rows[] = {
		{ "0", true, 0 },	{ "512", true, 512 },
		{ "64k", true, 65536 }, { "4M", true, 4 << 20 },
		{ "0x10k", true, 16384 }, { "64t", true, (int64_t)64 << 40 },
		{ "65t", false, 0 },	{ "1kb", false, 0 },
		{ "-1", false, 0 },	{ "", false, 0 },
		{ "k", false, 0 },	{ "99999999999999999999", false, 0 },
		{ "1.5k", false, 0 },
	};

	(void)state;
	CHECK(quantity_size, rows);
}

static void test_times(void **state)
{
	static const struct row rows[] = {
		{ "10", true, 10 },	     { "10ns", true, 10 },
		{ "10MS", true, 10000000 },  { "2min", true, 120000000000 },
		{ "365d", true, QUANTITY_TIME_MOST }, { "366d", false, 0 },
		{ "100hz", false, 0 },	     { "hz", false, 0 },
		{ "10 ms", false, 0 },	     { "ms", false, 0 },
		{ "-10ms", false, 0 },
	};

	(void)state;
	CHECK(quantity_time, rows);
}

static void test_rates(void **state)
{
	static const struct row rows[] = {
		{ "100hz", true, 10000000 },
		{ "10ms", true, 10000000 },
		{ "2000000000hz", false, 0 },
	};

	(void)state;
	CHECK(quantity_rate, rows);
}

static void test_switches(void **state)
{
	static const struct row rows[] = {
		{ "yes", true, 1 }, { "OFF", true, 0 },	 { "true", true, 1 },
		{ "1", false, 0 },  { "maybe", false, 0 }, { "", false, 0 },
	};

	(void)state;
	CHECK(quantity_switch, rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_switches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
