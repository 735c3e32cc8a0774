/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms, byte for byte: users compare them with golden files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agg/agg.h"
#include "sink/text_histogram.h"
#include "agg/functions.h"
#include "ir/abi.h"

#define HEADER \
	"\n" \
	"           value  ------------- Distribution ------------- count    \n"
#define BLANKS40 "                                        "
#define BLANKS20 "                    "
#define BAR40 "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@"
#define BAR20 "@@@@@@@@@@@@@@@@@@@@"
#define BAR10 "@@@@@@@@@@"
#define BLANKS10 "          "

static void expect(const struct function *function, const int64_t *values,
		   const int64_t *params, uint64_t normal,
		   const struct options *options, const char *expected)
{
	const struct aggregate *aggregate = function->aggregate;
	struct text out = { 0 };

	histogram_draw(aggregate, values, aggregate->nvalues(params), params,
		       normal, options, &out);
	assert_string_equal(text_str(&out), expected);
	text_free(&out);
}

static void quantize_rows(void **state)
{
	static const int64_t none[4];
	int64_t values[QUANTIZE_BUCKETS] = { 0 };

	(void)state;
	expect(&agg_quantize, values, none, 1, NULL,
	       HEADER "              -1 |" BLANKS40 " 0        \n"
		      "               0 |" BLANKS40 " 0        \n"
		      "               1 |" BLANKS40 " 0        \n");
	values[quantize_bucket(9)] = 3;
	expect(&agg_quantize, values, none, 1, NULL,
	       HEADER "               4 |" BLANKS40 " 0        \n"
		      "               8 |" BAR40 " 3        \n"
		      "              16 |" BLANKS40 " 0        \n");
	/* Half a column rounds up; the count is normalized, the bar is not. */
	values[quantize_bucket(16)] = 77;
	expect(&agg_quantize, values, none, 2, NULL,
	       HEADER "               4 |" BLANKS40 " 0        \n"
		      "               8 |@@" BLANKS20 BLANKS10
		      "         1        \n"
		      "              16 |" BAR20 BAR10 "@@@@@@@@@  38       \n"
		      "              32 |" BLANKS40 " 0        \n");
}

static void quantize_ends(void **state)
{
	static const int64_t none[4];
	int64_t values[QUANTIZE_BUCKETS] = { 0 };

	(void)state;
	values[QUANTIZE_BUCKETS - 1] = 1;
	expect(&agg_quantize, values, none, 1, NULL,
	       HEADER "2305843009213693952 |" BLANKS40 " 0        \n"
		      "4611686018427387904 |" BAR40 " 1        \n");
}

static void negative_counts(void **state)
{
	static const int64_t none[4];
	int64_t values[QUANTIZE_BUCKETS] = { 0 };

	(void)state;
	values[QUANTIZE_ZERO] = -4;
	expect(&agg_quantize, values, none, 1, NULL,
	       HEADER "              -1 " BLANKS40 "| 0        \n"
		      "               0 " BAR40 "| -4       \n"
		      "               1 " BLANKS40 "| 0        \n");
	values[QUANTIZE_ZERO + 1] = 4;
	expect(&agg_quantize, values, none, 1, NULL,
	       HEADER
	       "              -1 " BLANKS20 "|" BLANKS20 " 0        \n"
	       "               0 " BLANKS10 BAR10 "|" BLANKS20 " -4       \n"
	       "               1 " BLANKS20 "|" BAR10 BLANKS10 " 4        \n"
	       "               2 " BLANKS20 "|" BLANKS20 " 0        \n");
}

static void lquantize_rows(void **state)
{
	static const int64_t params[4] = { -10, 20, 10 };
	int64_t values[5] = { 0 };

	(void)state;
	expect(&agg_lquantize, values, params, 1, NULL,
	       HEADER "           < -10 |" BLANKS40 " 0        \n"
		      "             -10 |" BLANKS40 " 0        \n"
		      "               0 |" BLANKS40 " 0        \n");
	values[0] = 1;
	values[4] = 1;
	expect(&agg_lquantize, values, params, 1, NULL,
	       HEADER "           < -10 |" BAR20 BLANKS20 " 1        \n"
		      "             -10 |" BLANKS40 " 0        \n"
		      "               0 |" BLANKS40 " 0        \n"
		      "              10 |" BLANKS40 " 0        \n"
		      "           >= 20 |" BAR20 BLANKS20 " 1        \n");
}

static void llquantize_rows(void **state)
{
	static const int64_t params[4] = { 10, 1, 1, 5 };
	int64_t values[13] = { 0 };

	(void)state;
	values[llquantize_bucket(10, params)] = 1;
	expect(&agg_llquantize, values, params, 1, NULL,
	       HEADER "            < 10 |" BLANKS40 " 0        \n"
		      "              10 |" BAR40 " 1        \n"
		      "              20 |" BLANKS40 " 0        \n");
	values[llquantize_bucket(10, params)] = 0;
	values[llquantize_bucket(-100, params)] = 1;
	values[llquantize_bucket(5, params)] = 1;
	expect(&agg_llquantize, values, params, 1, NULL,
	       HEADER "         <= -100 |" BAR20 BLANKS20 " 1        \n"
		      "             -80 |" BLANKS40 " 0        \n"
		      "             -60 |" BLANKS40 " 0        \n"
		      "             -40 |" BLANKS40 " 0        \n"
		      "             -20 |" BLANKS40 " 0        \n"
		      "             -10 |" BLANKS40 " 0        \n"
		      "      abs() < 10 |" BAR20 BLANKS20 " 1        \n"
		      "              10 |" BLANKS40 " 0        \n");
	values[0] = values[6] = 0;
	values[12] = 2;
	expect(&agg_llquantize, values, params, 1, NULL,
	       HEADER "              80 |" BLANKS40 " 0        \n"
		      "          >= 100 |" BAR40 " 2        \n");
}

static void zoom(void **state)
{
	static const int64_t params[4] = { 0, 2, 1 };
	const int64_t values[4] = { 0, 10, 10, 0 };
	struct options options = { 0 };

	(void)state;
	options.values[OPTION_AGGZOOM].number = 1;
	expect(&agg_lquantize, values, params, 1, &options,
	       HEADER "             < 0 |" BLANKS40 " 0        \n"
		      "               0 |" BAR20 BAR10 "@@@@@@@@   10       \n"
		      "               1 |" BAR20 BAR10 "@@@@@@@@   10       \n"
		      "            >= 2 |" BLANKS40 " 0        \n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantize_rows),
		cmocka_unit_test(quantize_ends),
		cmocka_unit_test(negative_counts),
		cmocka_unit_test(lquantize_rows),
		cmocka_unit_test(llquantize_rows),
		cmocka_unit_test(zoom),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
