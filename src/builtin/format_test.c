/* SPDX-License-Identifier: Apache-2.0 */
/* Formats: what is malformed, and what each conversion prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "agg/functions.h"
#include "builtin/format.h"

static const struct {
	const char *format, *problem;
} malformed[] = {
	{ "%z", "format conversion #1 is undefined: %z" },
	{ "%d %n", "format conversion #2 is undefined: %n" },
	{ "%y", "format conversion #1 is undefined: %y" },
	{ "%hq", "format conversion #1 is undefined: %hq" },
	{ "%hhs", "format conversion #1 is undefined: %hhs" },
	{ "%", "format conversion #1 name expected before end of format string" },
	{ "%% %l", "format conversion #2 name expected before end of format string" },
	{ "%**d", "format conversion #1 has more than one '*' specified for the output width" },
	{ "%.**d", "format conversion #1 has more than one '*' specified for the output precision" },
	{ "%.1.2d", "format conversion #1 has more than one '.' specified" },
	{ "%1$d", "format conversion #1 uses unsupported positional format (%n$)" },
	{ "%-%", "format conversion #1 cannot be combined with other format flags: %%" },
	{ "%5%", "format conversion #1 cannot be combined with other format flags: %%" },
	{ "", NULL }, { "%%", NULL }, { "%0*.*lld", NULL }, { "%?p", NULL },
	{ "%@d", NULL }, { "%-#0+' 8.3x", NULL },
};

static void reading(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		const char *problem = NULL;
		struct format *format = format_read(arena, malformed[i].format,
						    strlen(malformed[i].format),
						    &problem);

		assert_int_equal(!format, !!malformed[i].problem);
		if (!format)
			assert_string_equal(problem, malformed[i].problem);
	}
	arena_free(arena);
}

struct fixture {
	struct arena *arena;
	struct types *types;
	struct options options;
	struct printer printer;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	setenv("TZ", "UTC0", 1);
	tzset();
	fixture->arena = arena_new();
	fixture->types = types_new(fixture->arena, 256);
	types_without_kernel(fixture->types);
	fixture->printer.types = fixture->types;
	fixture->printer.options = &fixture->options;
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	types_free(fixture->types);
	arena_free(fixture->arena);
	free(fixture);
	return 0;
}

static void expect(struct fixture *fixture, const char *text,
		   const struct print_value *values, uint32_t nvalues,
		   const struct format_agg *aggs, uint32_t naggs,
		   const char *expected)
{
	const char *problem = NULL;
	struct format *format = format_read(fixture->arena, text, strlen(text),
					    &problem);
	struct text out = { 0 };

	assert_non_null(format);
	format_print(&fixture->printer, format, values, nvalues, aggs, naggs,
		     &out);
	assert_string_equal(text_str(&out), expected);
	text_free(&out);
}

/* Integers: the type says size and sign. */
static const struct {
	enum base_type type;
	int64_t value;
	const char *format, *expected;
} integers[] = {
	{ BASE_INT, -1, "%d", "-1" },
	{ BASE_UINT, -1, "%d", "4294967295" },
	{ BASE_UINT, -1, "%i", "4294967295" },
	{ BASE_INT, -1, "%u", "4294967295" },
	{ BASE_INT, -1, "%x", "ffffffff" },
	{ BASE_INT, -1, "%X", "FFFFFFFF" },
	{ BASE_CHAR, -2, "%d", "-2" },
	{ BASE_UCHAR, -2, "%d", "254" },
	{ BASE_CHAR, -1, "%x", "ff" },
	{ BASE_CHAR, -1, "%hhd %%", "-1 %" },
	{ BASE_CHAR, -1, "%hhx", "ff" },
	{ BASE_SHORT, -2, "%hd", "-2" },
	{ BASE_USHORT, -2, "%hu", "65534" },
	{ BASE_LONG, INT64_MIN, "%d", "-9223372036854775808" },
	{ BASE_LONG, INT64_MIN, "%lld", "-9223372036854775808" },
	{ BASE_ULONG, -1, "%d", "18446744073709551615" },
	{ BASE_ULONG, -1, "%llx", "ffffffffffffffff" },
	{ BASE_INT, 8, "%o", "10" },
	{ BASE_INT, 8, "%#o", "010" },
	{ BASE_INT, 255, "%#x", "0xff" },
	{ BASE_INT, 7, "[%5d]", "[    7]" },
	{ BASE_INT, 7, "[%-5d]", "[7    ]" },
	{ BASE_INT, 7, "[%05d]", "[00007]" },
	{ BASE_INT, 7, "[%+d]", "[+7]" },
	{ BASE_INT, 7, "[% d]", "[ 7]" },
	{ BASE_INT, 7, "[%.3d]", "[007]" },
	{ BASE_INT, 7, "[%6.3d]", "[   007]" },
	{ BASE_INT, 0, "[%.0d]", "[0]" },	/* 0 is no precision */
	{ BASE_ULONG, 0x1234, "%p", "1234" },
	{ BASE_ULONG, 0x1234, "[%?p]", "[            1234]" },
	{ BASE_ULONG, 0x1234, "[%-?p]", "[1234            ]" },
	{ BASE_ULONG, 0x1234, "[%0?p]", "[0000000000001234]" },
	{ BASE_ULONG, 0x1234, "%a", "0x1234" },
	{ BASE_CHAR, 'A', "%c", "A" },
	{ BASE_INT, 'A', "[%3c]", "[  A]" },
	{ BASE_INT, 'A', "[%-3c]", "[A  ]" },
	{ BASE_INT, '\n', "%C", "\\n" },
	{ BASE_INT, 'A', "%C", "A" },
	{ BASE_INT, 1, "%C", "\\001" },
	{ BASE_INT, 0xe9, "%wc", "\xc3\xa9" },
	{ BASE_INT, 0x20ac, "%wc", "\xe2\x82\xac" },
	{ BASE_INT, 0x1f600, "%wc", "\xf0\x9f\x98\x80" },
	{ BASE_LONG, 1136214245000000000, "%Y", "2006 Jan  2 15:04:05" },
	{ BASE_LONG, 1136214245999999999, "%T",
	  "Mon, 02 Jan 2006 15:04:05 UTC" },
	{ BASE_LONG, -1, "%Y", "1969 Dec 31 23:59:59" },
	{ BASE_LONG, 0, "[%24Y]", "[    1970 Jan  1 00:00:00]" },
	{ BASE_USHORT, 1, "%d%%", "1%" },
	{ BASE_INT, 3, "no value", "no value" },
};

static void printing_integers(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(integers) / sizeof(*integers); i++) {
		struct type *type = types_base(fixture->types,
					       integers[i].type);
		struct print_value value = {
			.type = type,
			.bytes = (const uint8_t *)&integers[i].value,
			.size = (uint32_t)type_size(fixture->types, type),
		};

		expect(fixture, integers[i].format, &value, 1, NULL, 0,
		       integers[i].expected);
	}
}

static const struct {
	const char *bytes;
	uint32_t size;
	const char *format, *expected;
} strings[] = {
	{ "hello", 6, "%s", "hello" },
	{ "hello", 5, "%s", "hello" },		/* fills its field */
	{ "hel\0lo", 6, "%s", "hel" },
	{ "hello", 6, "[%8s]", "[   hello]" },
	{ "hello", 6, "[%-8s]", "[hello   ]" },
	{ "hello", 6, "[%.2s]", "[he]" },
	{ "hello", 6, "[%.0s]", "[hello]" },
	{ "hello", 6, "[%5.2s]", "[   he]" },
	{ "", 1, "[%s]", "[]" },
	{ "a\tb\"c\177", 7, "%S", "a\\tb\\\"c\\177\\0" },
	{ "", 1, "%S", "\\0" },
	{ "127.0.0.256", 12, "%I", "127.0.0.256" },	/* no address */
};

static void printing_strings(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		struct print_value value = {
			.type = types_base(fixture->types, BASE_STRING),
			.bytes = (const uint8_t *)strings[i].bytes,
			.size = strings[i].size,
		};

		expect(fixture, strings[i].format, &value, 1, NULL, 0,
		       strings[i].expected);
	}
}

static struct print_value int_value(struct fixture *fixture,
				    const int32_t *number)
{
	return (struct print_value){
		.type = types_base(fixture->types, BASE_INT),
		.bytes = (const uint8_t *)number, .size = sizeof(*number),
	};
}

static void printing_stars(void **state)
{
	struct fixture *fixture = *state;
	const int32_t numbers[] = { 6, -6, 3, 42, 0, -1 };
	struct print_value values[3] = {
		int_value(fixture, &numbers[0]),
		int_value(fixture, &numbers[2]),
		int_value(fixture, &numbers[3]),
	};

	expect(fixture, "[%*.*d]", values, 3, NULL, 0, "[   042]");
	values[0] = int_value(fixture, &numbers[1]);
	expect(fixture, "[%*.*d]", values, 3, NULL, 0, "[042   ]");
	values[1] = int_value(fixture, &numbers[5]);
	expect(fixture, "[%*.*d]", values, 3, NULL, 0, "[42    ]");
	values[1] = int_value(fixture, &numbers[4]);
	expect(fixture, "[%*.*d]", values, 3, NULL, 0, "[42    ]");
	/* Values that are missing print as nothing or 0. */
	expect(fixture, "%d %d %d %d %s", values, 1, NULL, 0, "-6 0 0 0 ");
}

static void printing_floats(void **state)
{
	struct fixture *fixture = *state;
	const double number = 3.25;
	const float narrow = -0.5f;
	struct print_value values[2] = {
		{ .type = types_base(fixture->types, BASE_DOUBLE),
		  .bytes = (const uint8_t *)&number, .size = sizeof(number) },
		{ .type = types_base(fixture->types, BASE_FLOAT),
		  .bytes = (const uint8_t *)&narrow, .size = sizeof(narrow) },
	};

	expect(fixture, "%.2f %e", values, 2, NULL, 0, "3.25 -5.000000e-01");
	expect(fixture, "[%8.1f] %g", values, 2, NULL, 0, "[     3.2] -0.5");
}

static void printing_results(void **state)
{
	struct fixture *fixture = *state;
	const struct agg_layout count = { .function = &agg_count,
					  .nvalues = 1 };
	const struct agg_layout sum = { .function = &agg_sum, .nvalues = 1 };
	const struct agg_layout avg = { .function = &agg_avg, .nvalues = 2 };
	const int64_t one = 1, minus = -30, average[2] = { 4, 10 };
	const int32_t key = 5;
	struct print_value keys[1] = { int_value(fixture, &key) };
	struct format_agg aggs[3] = {
		{ &count, &one, 1 }, { &sum, &minus, 7 }, { &avg, average, 1 },
	};

	expect(fixture, "%d: %@d %@5d %@u\n", keys, 1, aggs, 3,
	       "5: 1    -4 2\n");
	expect(fixture, "%@d %@d %@d", keys, 1, aggs, 2, "1 -4 -4");
	aggs[0].values = NULL;	/* no such element in this one */
	expect(fixture, "%@d %@x", keys, 1, aggs, 1, "0 0");
}

static void printing_histogram(void **state)
{
	struct fixture *fixture = *state;
	const struct agg_layout layout = {
		.function = &agg_lquantize, .nvalues = 3,
		.params = { 0, 1, 1 },
	};
	const int64_t values[3] = { 0, 2, 0 };
	struct format_agg agg = { &layout, values, 1 };

	expect(fixture, "%@12d|", NULL, 0, &agg, 1,
	       "\n           value  ------------- Distribution ------------- count    \n"
	       "             < 0 |                                         0        \n"
	       "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
	       "            >= 1 |                                         0        \n"
	       "|");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading),
		cmocka_unit_test(printing_integers),
		cmocka_unit_test(printing_strings),
		cmocka_unit_test(printing_stars),
		cmocka_unit_test(printing_floats),
		cmocka_unit_test(printing_results),
		cmocka_unit_test(printing_histogram),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
