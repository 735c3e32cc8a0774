/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregations in the kernel: keys find their entries, slots change as agg/
 * says they do, buckets agree at every boundary, a full table counts.
 */
#include "agg/agg.h"
#include "agg/functions.h"
#include "bpf/test_kernel.h"

enum { KEYS = 4096 }; /* globals that are keys */

/* Sum over all entries of all CPUs that have this key. */
static bool find(struct bench *t, uint32_t agg, const void *key,
		 int64_t *values)
{
	const struct bpf_agg_map *map = &t->maps.aggs[agg];
	const struct ir_aggregation *ir = &t->aggs[agg];
	bool found = false;

	memset(values, 0, ir->nvalues * sizeof(*values));
	for (uint32_t cpu = 0; cpu < t->maps.ncpus; cpu++)
		for (uint32_t i = 0; i < map->entries; i++) {
			const uint8_t *at = map->memory +
					    cpu * map->element_size +
					    sizeof(struct abi_agg_table) +
					    (uint64_t)i * map->entry_size;
			const struct abi_agg_entry *entry = (const void *)at;
			const int64_t *there = (const void *)(at +
							      sizeof(*entry) +
							      ir->key_size);

			if (entry->tag <= AGG_TAG_BUSY || !entry->touched ||
			    memcmp(entry + 1, key, ir->key_size))
				continue;
			found = true;
			for (uint32_t n = 0; n < ir->nvalues; n++)
				values[n] += there[n];
		}
	return found;
}

static uint64_t agg_drops(struct bench *t, uint32_t agg)
{
	uint64_t drops = 0;

	for (uint32_t cpu = 0; cpu < t->maps.ncpus; cpu++)
		drops += ((struct abi_agg_table
				   *)(t->maps.aggs[agg].memory +
				      cpu * t->maps.aggs[agg].element_size))
				 ->drops;
	return drops;
}

/* Aggregation 0 is what this function keeps. */
static void set_function(struct bench *t, const struct function *function,
			 const int64_t *params)
{
	const struct aggregate *aggregate = function->aggregate;
	struct ir_aggregation *agg = &t->aggs[0];

	t->naggs = 1;
	agg->nvalues = aggregate->nvalues(params);
	if (!aggregate->identity)
		return;
	int64_t *identities = arena_array_of(t->arena, int64_t, agg->nvalues);

	for (uint32_t i = 0; i < agg->nvalues; i++)
		identities[i] = aggregate->identity(i);
	agg->identities = identities;
}

/*
 * One update by a function: values are the first two globals, the key comes
 * from behind them.
 */
static void build_update(struct bench *t, const struct function *function,
			 const int64_t *params, uint32_t key_size,
			 bool increments)
{
	struct ir_mem key = { .space = IR_NOWHERE };
	struct agg_update update = { .b = &t->b, .params = params };

	set_function(t, function, params);
	update.value = input(t, 0, 0);
	update.increment = increments ? input(t, 8, 1) : ir_const(&t->b, 1);
	t->aggs[0].key_size = key_size;
	if (key_size) {
		key = ir_object(&t->b, key_size, "key");
		ir_copy(&t->b, key, global_at(KEYS), key_size);
	}
	function->aggregate->update(&update);
	ir_aggregate(&t->b, 0, key, &update.slots);
	bench_load(t);
}

static void fire(struct bench *t, int64_t x, int64_t increment)
{
	memcpy(t->maps.globals, &x, 8);
	memcpy(t->maps.globals + 8, &increment, 8);
	assert_int_equal(bpf_run_once(t->loaded), 0);
}

static const int64_t edges[] = {
	0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 99, 100, 101, 1000, 65535, 65536,
	INT32_MAX, (int64_t)1 << 32, ((int64_t)1 << 32) - 1,
	((int64_t)1 << 62) - 1, (int64_t)1 << 62, INT64_MAX,
};
enum { EDGES = sizeof(edges) / sizeof(*edges) };

static uint32_t bucket_of(const struct function *function,
			  const int64_t *params, int64_t x)
{
	if (function == &agg_quantize)
		return quantize_bucket(x);
	if (function == &agg_lquantize)
		return lquantize_bucket(x, params);
	return llquantize_bucket(x, params);
}

static void check_buckets(const struct function *function,
			  const int64_t *params, bool increments)
{
	struct bench t;
	uint32_t nvalues = function->aggregate->nvalues(params);
	int64_t *expected = calloc(nvalues, 8);
	int64_t *got = calloc(nvalues, 8);

	bench_start(&t);
	build_update(&t, function, params, 0, increments);
	for (unsigned i = 0; i < EDGES * 2; i++) {
		int64_t x = i % 2 ? (int64_t) - (uint64_t)edges[i / 2]
				  : edges[i / 2];

		if (x == -INT64_MAX)
			x = INT64_MIN;
		fire(&t, x, 3);
		expected[bucket_of(function, params, x)] += increments ? 3 : 1;
		assert_true(find(&t, 0, "", got));
		for (uint32_t n = 0; n < nvalues; n++)
			if (got[n] != expected[n])
				fail_msg("%lld: bucket %u has %lld, not %lld",
					 (long long)x, n, (long long)got[n],
					 (long long)expected[n]);
	}
	free(expected);
	free(got);
	bench_end(&t);
}

static void test_histograms(void)
{
	static const int64_t linear[][4] = {
		{ 0, 10, 1 }, { -5, 100, 7 }, { 10, 2000, 100 },
		{ INT32_MIN, INT32_MAX, UINT16_MAX },
	};
	static const int64_t log_linear[][4] = {
		{ 10, 0, 6, 20 }, { 2, 3, 20, 2 }, { 10, 0, 3, 10 },
		{ 10, 2, 9, 5 }, { 2, 0, 61, 8 },
	};

	check_buckets(&agg_quantize, NULL, true);
	check_buckets(&agg_quantize, NULL, false);
	for (unsigned i = 0; i < 4; i++)
		check_buckets(&agg_lquantize, linear[i], true);
	for (unsigned i = 0; i < 5; i++)
		check_buckets(&agg_llquantize, log_linear[i], true);
}

static void test_numbers(void)
{
	static const int64_t values[] = { 5, -7,	  1000000007, -1,
					  0, -3000000000, INT64_MIN,  4 };
	enum { N = 8 };
	static const struct function *const functions[] = {
		&agg_count, &agg_sum, &agg_avg, &agg_stddev,
	};

	for (unsigned f = 0; f < 4; f++) {
		const struct function *function = functions[f];
		struct bench t;
		int64_t got[4];
		uint64_t sum = 0;
		unsigned __int128 squares = 0;

		bench_start(&t);
		build_update(&t, function, NULL, f % 2 ? 0 : 8, false);
		for (unsigned i = 0; i < N; i++) {
			__int128 x = values[i];

			fire(&t, values[i], 0);
			sum += (uint64_t)values[i];
			squares += (unsigned __int128)(x * x);
		}
		assert_true(find(&t, 0, "\0\0\0\0\0\0\0", got));
		assert_int_equal(got[0], function == &agg_sum ? sum : N);
		if (t.aggs[0].nvalues > 1)
			assert_int_equal(got[1], sum);
		if (function == &agg_stddev) {
			/* words of several CPUs have been added */
			unsigned __int128 both =
				((unsigned __int128)(uint64_t)got[3] << 64) +
				(uint64_t)got[2];

			assert_true((uint64_t)both == (uint64_t)squares);
		}
		bench_end(&t);
	}
}

/* min and max: what is left on each CPU, merged as the consumer does. */
static void test_extremes(void)
{
	static const int64_t values[] = { 5, -7, 1000000007, -1, 0, 3 };

	for (unsigned i = 0; i < 4; i++) {
		struct bench t;
		bool is_min = i % 2;
		int64_t best = is_min ? INT64_MAX : INT64_MIN;
		uint32_t key_size = i / 2 * 16;

		bench_start(&t);
		build_update(&t, is_min ? &agg_min : &agg_max, NULL, key_size,
			     false);
		for (unsigned n = 0; n < 6; n++)
			fire(&t, values[n], 0);
		const struct bpf_agg_map *map = &t.maps.aggs[0];

		for (uint32_t cpu = 0; cpu < t.maps.ncpus; cpu++)
			for (uint32_t n = 0; n < map->entries; n++) {
				const struct abi_agg_entry *entry =
					(const void *)(map->memory +
						       cpu * map->element_size +
						       64 +
						       n * map->entry_size);
				int64_t value;

				if (!entry->touched)
					continue;
				memcpy(&value,
				       (const uint8_t *)(entry + 1) + key_size,
				       8);
				if (is_min ? value < best : value > best)
					best = value;
			}
		assert_int_equal(best, is_min ? -7 : 1000000007);
		bench_end(&t);
	}
}

static void test_keys(void)
{
	static const uint32_t sizes[] = { 8, 16, 24, 256, 264, 320, 1000 };

	for (unsigned i = 0; i < 7; i++) {
		struct bench t;
		uint8_t key[1000] = { 0 };
		int64_t got;

		bench_start(&t);
		build_update(&t, &agg_count, NULL, sizes[i], false);
		/* keys that differ in one byte each, all of them twice */
		for (unsigned n = 0; n < 200; n++) {
			unsigned at = n % 100 * 37 % sizes[i];

			memset(key, 0, sizeof(key));
			key[at] = (uint8_t)(1 + n % 100);
			memcpy(t.maps.globals + KEYS, key, sizes[i]);
			fire(&t, 0, 0);
		}
		assert_int_equal(agg_drops(&t, 0), 0);
		for (unsigned n = 0; n < 100; n++) {
			memset(key, 0, sizeof(key));
			key[n * 37 % sizes[i]] = (uint8_t)(1 + n);
			assert_true(find(&t, 0, key, &got));
			assert_int_equal(got, 2);
		}
		bench_end(&t);
	}
}

/* More keys than room: every update is in the table or in the drops. */
static void test_full(void)
{
	struct bench t;
	uint64_t total = 0;
	int64_t got;

	bench_start(&t);
	/* big entries: a second aggregation would not change that */
	build_update(&t, &agg_count, NULL, 4096, false);
	for (uint64_t n = 0; n < 1000; n++) {
		memcpy(t.maps.globals + KEYS, &n, 8);
		fire(&t, 0, 0);
	}
	uint8_t key[4096] = { 0 };

	for (uint64_t n = 0; n < 1000; n++) {
		memcpy(key, &n, 8);
		if (find(&t, 0, key, &got))
			total += (uint64_t)got;
	}
	assert_true(agg_drops(&t, 0) > 0);
	assert_int_equal(total + agg_drops(&t, 0), 1000);
	bench_end(&t);
}

static void test_sizes(void **state)
{
	const struct ir_aggregation aggs[] = {
		{ .key_size = 0, .nvalues = 1 },
		{ .key_size = 16, .nvalues = 1 },
		{ .key_size = 8, .nvalues = 127 },
		{ .key_size = 0, .nvalues = 0 },
	};
	struct bpf_agg_table tables[4];

	(void)state;
	assert_int_equal(bpf_agg_entry_size(&aggs[1]), 40);
	bpf_agg_layout(aggs, 4, 1 << 20, tables);
	assert_int_equal(tables[0].entries, 1);
	/* half of it each: 524288 bytes of 40, of 1040 */
	assert_int_equal(tables[1].entries, 8192);
	assert_int_equal(tables[2].entries, 256);
	assert_int_equal(tables[3].entries, 0);
	bpf_agg_layout(aggs, 4, 16, tables);
	assert_int_equal(tables[2].entries, 1);
}

/* Tables lie apart, on cache lines, in no more than the verifier follows. */
static void test_layout(void **state)
{
	enum { COUNT = 3000 };
	static struct ir_aggregation aggs[COUNT];
	static struct bpf_agg_table tables[COUNT];
	uint64_t total, sum = 0;

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++)
		aggs[i] = (struct ir_aggregation){
			.key_size = i % 3 * 8,
			.nvalues = i % 2 ? 1 : 127,
		};
	total = bpf_agg_layout(aggs, COUNT, 1 << 30, tables);
	assert_true(total <= BPF_AGG_MOST);
	assert_true(total > BPF_AGG_MOST / 2);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint64_t size = sizeof(struct abi_agg_table) +
				(uint64_t)tables[i].entries *
					tables[i].entry_size;

		assert_int_equal(tables[i].offset % 64, 0);
		assert_true(tables[i].offset + size <= total);
		/* in order of keyless, keyed: none overlaps the next one */
		for (uint32_t n = 0; n < COUNT; n++)
			if (tables[n].offset > tables[i].offset)
				assert_true(tables[n].offset >=
					    tables[i].offset + size);
		sum += (size + 63) / 64 * 64;
	}
	assert_int_equal(sum, total);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_layout),
		BENCH_TEST(test_numbers),
		BENCH_TEST(test_extremes),
		BENCH_TEST(test_histograms),
		BENCH_TEST(test_keys),
		BENCH_TEST(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
