/* SPDX-License-Identifier: Apache-2.0 */
/* Buckets of quantize(), lquantize() and llquantize(): every boundary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agg/agg.h"
#include "agg/functions.h"
#include "ir/abi.h"

static void quantize_known_values(void **state)
{
	static const struct {
		int64_t value;
		uint32_t bucket;
	} cases[] = {
		{ 0, 63 },
		{ 1, 64 },
		{ 2, 65 },
		{ 3, 65 },
		{ 4, 66 },
		{ 7, 66 },
		{ 8, 67 },
		{ -1, 62 },
		{ -2, 61 },
		{ -3, 61 },
		{ -4, 60 },
		{ INT64_MAX, 126 },
		{ INT64_MIN, 0 },
		{ (int64_t)1 << 62, 126 },
		{ ((int64_t)1 << 62) - 1, 125 },
		{ -((int64_t)1 << 62), 0 },
		{ 1 - ((int64_t)1 << 62), 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(quantize_bucket(cases[i].value),
				 cases[i].bucket);
}

static void quantize_every_label(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < QUANTIZE_BUCKETS; i++) {
		int64_t label = quantize_label(i);
		int64_t beyond = label > 0 ? label - 1 : label + 1;

		assert_int_equal(quantize_bucket(label), i);
		if (!label)
			continue;
		/* One step towards zero is the next bucket inwards. */
		assert_int_equal(quantize_bucket(beyond),
				 label > 0 ? i - 1 : i + 1);
	}
	assert_int_equal(quantize_label(126), (int64_t)1 << 62);
	assert_int_equal(quantize_label(0), -((int64_t)1 << 62));
}

static void lquantize_boundaries(void **state)
{
	static const struct {
		int64_t params[4];
		int64_t value;
		uint32_t bucket;
	} cases[] = {
		{ { 0, 10, 1 }, -1, 0 },
		{ { 0, 10, 1 }, 0, 1 },
		{ { 0, 10, 1 }, 9, 10 },
		{ { 0, 10, 1 }, 10, 11 },
		{ { 0, 10, 3 }, 8, 3 },
		{ { 0, 10, 3 }, 9, 4 }, /* end of the last whole step */
		{ { -10, 10, 5 }, -11, 0 },
		{ { -10, 10, 5 }, -10, 1 },
		{ { -10, 10, 5 }, -6, 1 },
		{ { -10, 10, 5 }, -5, 2 },
		{ { -10, 10, 5 }, 9, 4 },
		{ { -10, 10, 5 }, INT64_MAX, 5 },
		{ { -10, 10, 5 }, INT64_MIN, 0 },
		{ { INT32_MIN, INT32_MAX, 65535 }, INT32_MIN, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(lquantize_bucket(cases[i].value,
						  cases[i].params),
				 cases[i].bucket);
}

static void llquantize_boundaries(void **state)
{
	/* factor 10, magnitudes 0..2, 20 steps */
	static const int64_t twenty[4] = { 10, 0, 2, 20 };
	/* 1..9 one by one, then 10, 15, 20 ... 95, then 100, 150 ... 950 */
	enum { COUNT = 9 + 18 + 18, MIDDLE = COUNT + 1 };
	static const struct {
		int64_t value;
		int distance;
	} cases[] = {
		{ 0, 0 },	   { 1, 1 },	{ 9, 9 },    { 10, 10 },
		{ 14, 10 },	   { 15, 11 },	{ 99, 27 },  { 100, 28 },
		{ 149, 28 },	   { 150, 29 }, { 999, 45 }, { 1000, 46 },
		{ INT64_MAX, 46 },
	};

	(void)state;
	assert_int_equal(llquantize_count(twenty), COUNT);
	assert_int_equal(agg_llquantize.aggregate->nvalues(twenty),
			 2 * COUNT + 3);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t value = cases[i].value;
		int distance = cases[i].distance;

		assert_int_equal(llquantize_bucket(value, twenty),
				 MIDDLE + distance);
		assert_int_equal(llquantize_bucket(-value, twenty),
				 MIDDLE - distance);
	}
	assert_int_equal(llquantize_bucket(INT64_MIN, twenty), 0);
}

static void llquantize_few_steps(void **state)
{
	/* 1-2, 2-4, 4-6, 6-8, 8-10: fewer steps than the factor */
	static const int64_t five[4] = { 10, 0, 1, 5 };
	static const int distances[] = {
		0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6,
	};

	(void)state;
	assert_int_equal(llquantize_count(five), 10);
	for (int i = 0; i < 12; i++)
		assert_int_equal(llquantize_bucket(i, five), 11 + distances[i]);
	assert_int_equal(llquantize_bucket(20, five), 11 + 7);
	assert_int_equal(llquantize_bucket(99, five), 11 + 10);
	assert_int_equal(llquantize_bucket(100, five), 11 + 11);
}

/* No two neighbours of any magnitude leave a gap or overlap. */
static void llquantize_is_monotonic(void **state)
{
	static const int64_t shapes[][4] = {
		{ 10, 0, 3, 20 }, { 2, 0, 10, 2 }, { 10, 1, 3, 10 },
		{ 3, 2, 5, 27 }, { 10, 0, 2, 1 }, { 4, 0, 4, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		uint32_t before = llquantize_bucket(-12000, shapes[i]);

		for (int64_t v = -11999; v <= 12000; v++) {
			uint32_t now = llquantize_bucket(v, shapes[i]);

			assert_true(now == before || now == before + 1);
			before = now;
		}
		assert_int_equal(before, 2 * llquantize_count(shapes[i]) + 2);
	}
}

static void numbers(void **state)
{
	static const struct {
		int64_t value;
		uint64_t normal;
		int64_t result;
	} divisions[] = {
		{ 7, 2, 3 },
		{ -7, 2, -3 },
		{ 7, 0, 7 },
		{ INT64_MIN, 1, INT64_MIN },
		{ INT64_MIN, UINT64_MAX, 0 },
		{ INT64_MIN, (uint64_t)1 << 63, -1 },
		{ 5, UINT64_MAX, 0 },
	};
	/* 10, 20, 30, -4: count, sum, squares */
	const int64_t deviation[4] = { 4, 56, 1416, 0 };
	const int64_t huge[4] = { 1, INT64_MIN, 0, (int64_t)1 << 62 };
	const int64_t average[2] = { 3, -10 }, nothing[4] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(divisions) / sizeof(*divisions); i++)
		assert_int_equal(agg_divide(divisions[i].value,
					    divisions[i].normal),
				 divisions[i].result);
	assert_int_equal(agg_stddev.aggregate->number(deviation, 1), 12);
	assert_int_equal(agg_stddev.aggregate->number(deviation, 5), 2);
	assert_int_equal(agg_stddev.aggregate->number(huge, 1), 0);
	assert_int_equal(agg_stddev.aggregate->number(nothing, 1), 0);
	assert_int_equal(agg_avg.aggregate->number(average, 1), -3);
	assert_int_equal(agg_avg.aggregate->number(average, 2), -1);
	assert_int_equal(agg_avg.aggregate->number(nothing, 1), 0);
}

static void merging(void **state)
{
	int64_t low[4] = { 1, 5, -1, 0 }; /* squares: 2^64 - 1 */
	const int64_t more[4] = { 2, -7, 1, 3 };
	int64_t least = INT64_MAX, most = INT64_MIN;
	const int64_t value = -3;

	(void)state;
	agg_stddev.aggregate->merge(low, more, 4);
	assert_int_equal(low[0], 3);
	assert_int_equal(low[1], -2);
	assert_int_equal(low[2], 0);
	assert_int_equal(low[3], 4);
	agg_min.aggregate->merge(&least, &value, 1);
	agg_max.aggregate->merge(&most, &value, 1);
	assert_int_equal(least, -3);
	assert_int_equal(most, -3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantize_known_values),
		cmocka_unit_test(quantize_every_label),
		cmocka_unit_test(lquantize_boundaries),
		cmocka_unit_test(llquantize_boundaries),
		cmocka_unit_test(llquantize_few_steps),
		cmocka_unit_test(llquantize_is_monotonic),
		cmocka_unit_test(numbers),
		cmocka_unit_test(merging),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
