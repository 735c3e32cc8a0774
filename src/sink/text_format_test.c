/* SPDX-License-Identifier: Apache-2.0 */
/* Formats applied: what each conversion prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "agg/agg.h"
#include "agg/functions.h"
#include "base/arena.h"
#include "facts/format.h"
#include "sink/render.h"

struct fixture {
	struct arena *arena;
	struct options options;
	struct renderer renderer;
};

/* A resolver without any names. */
static void no_names(void *context, bool is_user, uint32_t pid,
		     uint64_t address, struct fact_frame *frame)
{
	(void)context, (void)pid;
	*frame = (struct fact_frame){
		.kind = is_user ? FRAME_USER : FRAME_KERNEL,
		.address = address,
	};
}

static const struct resolver resolver = { .address = no_names };

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	setenv("TZ", "UTC0", 1);
	tzset();
	fixture->arena = arena_new();
	options_init(&fixture->options);
	fixture->renderer = (struct renderer){
		.options = &fixture->options,
		.resolver = &resolver,
	};
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	options_free(&fixture->options);
	arena_free(fixture->arena);
	free(fixture);
	return 0;
}

static void expect_row(struct fixture *fixture, const char *text,
		       const struct fact_value *values, uint32_t nvalues,
		       const struct fact_table *table,
		       const struct fact_row *row, const char *expected)
{
	const char *problem = NULL;
	struct format *format = format_read(fixture->arena, text, strlen(text),
					    &problem);
	struct text out = { 0 };

	assert_non_null(format);
	render_format(&fixture->renderer, format, values, nvalues, table, row,
		      &out);
	assert_string_equal(text_str(&out), expected);
	text_free(&out);
}

static void expect(struct fixture *fixture, const char *text,
		   const struct fact_value *values, uint32_t nvalues,
		   const char *expected)
{
	expect_row(fixture, text, values, nvalues, NULL, NULL, expected);
}

/* Integers: size and sign are those of the value. */
static const struct {
	uint32_t size;
	bool is_signed;
	int64_t value;
	const char *format, *expected;
} integers[] = {
	{ 4, true, -1, "%d", "-1" },
	{ 4, false, -1, "%d", "4294967295" },
	{ 4, false, -1, "%i", "4294967295" },
	{ 4, true, -1, "%u", "4294967295" },
	{ 4, true, -1, "%x", "ffffffff" },
	{ 4, true, -1, "%X", "FFFFFFFF" },
	{ 1, true, -2, "%d", "-2" },
	{ 1, false, -2, "%d", "254" },
	{ 1, true, -1, "%x", "ff" },
	{ 1, true, -1, "%hhd %%", "-1 %" },
	{ 1, true, -1, "%hhx", "ff" },
	{ 2, true, -2, "%hd", "-2" },
	{ 2, false, -2, "%hu", "65534" },
	{ 8, true, INT64_MIN, "%d", "-9223372036854775808" },
	{ 8, true, INT64_MIN, "%lld", "-9223372036854775808" },
	{ 8, false, -1, "%d", "18446744073709551615" },
	{ 8, false, -1, "%llx", "ffffffffffffffff" },
	{ 4, true, 8, "%o", "10" },
	{ 4, true, 8, "%#o", "010" },
	{ 4, true, 255, "%#x", "0xff" },
	{ 4, true, 7, "[%5d]", "[    7]" },
	{ 4, true, 7, "[%-5d]", "[7    ]" },
	{ 4, true, 7, "[%05d]", "[00007]" },
	{ 4, true, 7, "[%+d]", "[+7]" },
	{ 4, true, 7, "[% d]", "[ 7]" },
	{ 4, true, 7, "[%.3d]", "[007]" },
	{ 4, true, 7, "[%6.3d]", "[   007]" },
	{ 4, true, 0, "[%.0d]", "[0]" }, /* 0 means no precision */
	{ 8, false, 0x1234, "%p", "1234" },
	{ 8, false, 0x1234, "[%?p]", "[            1234]" },
	{ 8, false, 0x1234, "[%-?p]", "[1234            ]" },
	{ 8, false, 0x1234, "[%0?p]", "[0000000000001234]" },
	{ 8, false, 0x1234, "%a", "0x1234" },
	{ 1, true, 'A', "%c", "A" },
	{ 4, true, 'A', "[%3c]", "[  A]" },
	{ 4, true, 'A', "[%-3c]", "[A  ]" },
	{ 4, true, '\n', "%C", "\\n" },
	{ 4, true, 'A', "%C", "A" },
	{ 4, true, 1, "%C", "\\001" },
	{ 4, true, 0xe9, "%wc", "\xc3\xa9" },
	{ 4, true, 0x20ac, "%wc", "\xe2\x82\xac" },
	{ 4, true, 0x1f600, "%wc", "\xf0\x9f\x98\x80" },
	{ 8, true, 1136214245000000000, "%Y", "2006 Jan  2 15:04:05" },
	{ 8, true, 1136214245999999999, "%T", "Mon, 02 Jan 2006 15:04:05 UTC" },
	{ 8, true, -1, "%Y", "1969 Dec 31 23:59:59" },
	{ 8, true, 0, "[%24Y]", "[    1970 Jan  1 00:00:00]" },
	{ 2, false, 1, "%d%%", "1%" },
	{ 4, true, 3, "no value", "no value" },
};

static void printing_integers(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(integers) / sizeof(*integers); i++) {
		struct fact_value value = {
			.kind = FACT_INTEGER,
			.is_signed = integers[i].is_signed,
			.bytes = (const uint8_t *)&integers[i].value,
			.size = integers[i].size,
		};

		expect(fixture, integers[i].format, &value, 1,
		       integers[i].expected);
	}
}

static const struct {
	const char *bytes;
	uint32_t size;
	const char *format, *expected;
} strings[] = {
	{ "hello", 6, "%s", "hello" },
	{ "hello", 5, "%s", "hello" }, /* fills its field */
	{ "hel\0lo", 6, "%s", "hel" },
	{ "hello", 6, "[%8s]", "[   hello]" },
	{ "hello", 6, "[%-8s]", "[hello   ]" },
	{ "hello", 6, "[%.2s]", "[he]" },
	{ "hello", 6, "[%.0s]", "[hello]" },
	{ "hello", 6, "[%5.2s]", "[   he]" },
	{ "", 1, "[%s]", "[]" },
	{ "a\tb\"c\177", 7, "%S", "a\\tb\\\"c\\177\\0" },
	{ "", 1, "%S", "\\0" },
	{ "127.0.0.256", 12, "%I", "127.0.0.256" }, /* not an address */
};

static void printing_strings(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		struct fact_value value = {
			.kind = FACT_STRING,
			.bytes = (const uint8_t *)strings[i].bytes,
			.size = strings[i].size,
		};

		expect(fixture, strings[i].format, &value, 1,
		       strings[i].expected);
	}
}

static struct fact_value int_value(const int32_t *number)
{
	return (struct fact_value){
		.kind = FACT_INTEGER,
		.is_signed = true,
		.bytes = (const uint8_t *)number,
		.size = sizeof(*number),
	};
}

static void printing_stars(void **state)
{
	struct fixture *fixture = *state;
	const int32_t numbers[] = { 6, -6, 3, 42, 0, -1 };
	struct fact_value values[3] = {
		int_value(&numbers[0]),
		int_value(&numbers[2]),
		int_value(&numbers[3]),
	};

	expect(fixture, "[%*.*d]", values, 3, "[   042]");
	values[0] = int_value(&numbers[1]);
	expect(fixture, "[%*.*d]", values, 3, "[042   ]");
	values[1] = int_value(&numbers[5]);
	expect(fixture, "[%*.*d]", values, 3, "[42    ]");
	values[1] = int_value(&numbers[4]);
	expect(fixture, "[%*.*d]", values, 3, "[42    ]");
	/* Missing values print as nothing or 0. */
	expect(fixture, "%d %d %d %d %s", values, 1, "-6 0 0 0 ");
}

static void printing_floats(void **state)
{
	struct fixture *fixture = *state;
	const double number = 3.25;
	const float narrow = -0.5f;
	struct fact_value values[2] = {
		{ .kind = FACT_BYTES, .bytes = (const uint8_t *)&number,
		  .size = sizeof(number) },
		{ .kind = FACT_BYTES, .bytes = (const uint8_t *)&narrow,
		  .size = sizeof(narrow) },
	};

	expect(fixture, "%.2f %e", values, 2, "3.25 -5.000000e-01");
	expect(fixture, "[%8.1f] %g", values, 2, "[     3.2] -0.5");
}

/*
 * Text from the traced system is made visible on a terminal; the rest is not.
 */
static void printing_on_a_terminal(void **state)
{
	struct fixture *fixture = *state;
	struct fact_value value = {
		.kind = FACT_STRING, .bytes = (const uint8_t *)"a\033[2J",
		.size = 6,
	};

	expect(fixture, "\033[1m[%6s]", &value, 1, "\033[1m[ a\033[2J]");
	fixture->renderer.is_visible = true;
	expect(fixture, "\033[1m[%10s]", &value, 1, "\033[1m[  a\\033[2J]");
	value.is_literal = true;
	expect(fixture, "[%6s]", &value, 1, "[ a\033[2J]");
	fixture->renderer.is_visible = false;
}

static void printing_results(void **state)
{
	struct fixture *fixture = *state;
	const struct schema_aggregation count = {
		.aggregate = agg_count.aggregate, .nvalues = 1,
	}, sum = {
		.aggregate = agg_sum.aggregate, .nvalues = 1,
	}, avg = {
		.aggregate = agg_avg.aggregate, .nvalues = 2,
	};
	const struct schema_aggregation *const aggs[] = { &count, &sum, &avg };
	const uint64_t normals[] = { 1, 7, 1 };
	const int64_t one = 1, minus = -30, average[2] = { 4, 10 };
	const int64_t zero = 0;
	const int64_t *values[] = { &one, &minus, average };
	const int32_t key = 5;
	struct fact_value keys[1] = { int_value(&key) };
	struct fact_row row = { .keys = keys, .nkeys = 1, .values = values };
	struct fact_table table = {
		.aggregations = aggs, .normals = normals, .naggregations = 3,
	};

	expect_row(fixture, "%d: %@d %@5d %@u\n", keys, 1, &table, &row,
		   "5: 1    -4 2\n");
	table.naggregations = 2;
	expect_row(fixture, "%@d %@d %@d", keys, 1, &table, &row, "1 -4 -4");
	table.naggregations = 1;
	values[0] = &zero; /* no such element in this one */
	expect_row(fixture, "%@d %@x", keys, 1, &table, &row, "0 0");
}

static void printing_histogram(void **state)
{
	struct fixture *fixture = *state;
	const struct schema_aggregation layout = {
		.aggregate = agg_lquantize.aggregate, .nvalues = 3,
		.params = { 0, 1, 1 },
	};
	const struct schema_aggregation *const aggs[] = { &layout };
	const int64_t counts[3] = { 0, 2, 0 };
	const int64_t *values[] = { counts };
	const uint64_t normal = 1;
	const struct fact_row row = { .values = values };
	const struct fact_table table = {
		.aggregations = aggs, .normals = &normal, .naggregations = 1,
	};

	expect_row(
		fixture, "%@12d|", NULL, 0, &table, &row,
		"\n           value  ------------- Distribution ------------- count    \n"
		"             < 0 |                                         0        \n"
		"               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
		"            >= 1 |                                         0        \n"
		"|");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(printing_integers),
		cmocka_unit_test(printing_strings),
		cmocka_unit_test(printing_stars),
		cmocka_unit_test(printing_floats),
		cmocka_unit_test(printing_on_a_terminal),
		cmocka_unit_test(printing_results),
		cmocka_unit_test(printing_histogram),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
