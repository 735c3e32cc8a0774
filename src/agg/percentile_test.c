/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Percentiles, and the ranges of buckets: every value is in its bucket's range.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "agg/agg.h"
#include "sink/text_histogram.h"
#include "agg/functions.h"

static void test_percentiles(void **state)
{
	static const int64_t values[] = { 0, 500, 400, 90, 9, 1, 0 };
	static const struct { unsigned permille; uint32_t bucket; } cases[] = {
		{ 1, 1 }, { 500, 1 }, { 501, 2 }, { 900, 2 }, { 990, 3 },
		{ 999, 4 }, { 1000, 5 },
	};
	static const int64_t none[] = { 0, 0 }, negative[] = { 1, -1 };
	static const int64_t huge[] = { INT64_MAX, INT64_MAX, INT64_MAX };
	uint32_t bucket;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(histogram_percentile(values, 7, cases[i].permille,
						 &bucket));
		assert_int_equal(bucket, cases[i].bucket);
	}
	assert_false(histogram_percentile(none, 2, 500, &bucket));
	assert_false(histogram_percentile(negative, 2, 500, &bucket));
	assert_true(histogram_percentile(huge, 3, 500, &bucket));
	assert_int_equal(bucket, 1);
}

static void check_range(const struct function *function, const int64_t *params,
			int64_t value, uint32_t bucket)
{
	const struct aggregate *aggregate = function->aggregate;
	uint32_t nvalues = aggregate->nvalues(params);
	struct agg_range range = aggregate->range(params, nvalues, bucket);

	assert_true(range.is_open_below || value >= range.low);
	assert_true(range.is_open_above || value <= range.high);
	assert_int_equal(range.is_open_below, bucket == 0);
	assert_int_equal(range.is_open_above, bucket == nvalues - 1);
}

static void test_ranges(void **state)
{
	static const int64_t linear[4] = { -10, 11, 3 };
	static const int64_t log_linear[4] = { 10, 1, 3, 20 };

	(void)state;
	for (int64_t value = -20000; value < 20000; value++) {
		check_range(&agg_quantize, linear, value,
			    quantize_bucket(value));
		check_range(&agg_lquantize, linear, value,
			    lquantize_bucket(value, linear));
		check_range(&agg_llquantize, log_linear, value,
			    llquantize_bucket(value, log_linear));
	}
	check_range(&agg_quantize, linear, INT64_MIN,
		    quantize_bucket(INT64_MIN));
	check_range(&agg_quantize, linear, INT64_MAX,
		    quantize_bucket(INT64_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
