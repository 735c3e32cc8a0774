/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The merge law, by properties: for every aggregating function, random data that
 * are split over random hosts, shuffled, sent twice, shown early and merged on
 * two levels give exactly what one table would have counted.
 */
#include "fleet/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/table.h"
#include "fleet/publish.h"
#include "fleet/synthetic.h"

enum { SECONDS = 6, FIRST = 1700000000, MOST_HOSTS = 9, NKEYS = 17 };

/* ------------------------------------------- what a page would have kept */

struct kept {
	const struct schema_aggregation *aggregation;
	int64_t words[1024];
};

struct keeper {
	struct sink sink;
	const struct resolver *resolver;
	struct arena *arena;
	struct table rows; /* "second function keys" -> struct kept */
};

static void add_frame(void *data, const struct fact_frame *frame)
{
	text_printf(data, "|%s`%s+%llx@%llx",
		    frame->object ? frame->object : "?",
		    frame->function ? frame->function : "?",
		    (unsigned long long)frame->offset,
		    (unsigned long long)(frame->object ? 0 : frame->address));
}

static void put_key(struct keeper *keeper, const struct fact_value *value,
		    struct text *out)
{
	struct fact_frame frame;
	const char *cut;

	switch (value->kind) {
	case FACT_INTEGER:
		text_printf(out, " %lld", (long long)fact_integer(value));
		break;
	case FACT_STRING:
		text_putc(out, ' ');
		text_add(out, (const char *)value->bytes, fact_length(value));
		break;
	case FACT_SYMBOL:
		fact_symbol(keeper->resolver, value, &frame);
		frame.offset = 0;
		add_frame(out, &frame);
		break;
	default:
		cut = keeper->resolver->stack(keeper->resolver->context, value,
					      add_frame, out);
		text_puts(out, cut ? cut : "");
		break;
	}
}

static bool keep(struct sink *sink, const struct fact_snapshot *snapshot)
{
	struct keeper *keeper = (struct keeper *)sink;
	const struct fact_table *table = snapshot->table;
	const struct schema_aggregation *aggregation = table->aggregations[0];
	struct text name = { 0 };

	assert_in_range(snapshot->second, FIRST, FIRST + SECONDS);
	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		text_clear(&name);
		text_printf(&name, "%llu %s",
			    (unsigned long long)snapshot->second,
			    aggregation->function);
		for (uint32_t n = 0; n < row.nkeys; n++)
			put_key(keeper, &row.keys[n], &name);
		struct str key = { text_str(&name), name.n };
		struct kept *kept = table_get(&keeper->rows, key);

		if (!kept) {
			kept = arena_new_of(keeper->arena, struct kept);
			kept->aggregation = aggregation;
			memcpy(kept->words, row.values[0],
			       aggregation->nvalues * 8);
			key.p = arena_strndup(keeper->arena, key.p, key.n);
			table_put(&keeper->rows, key, kept);
		} else {
			aggregation->aggregate->merge(kept->words,
						      row.values[0],
						      aggregation->nvalues);
		}
	}
	text_free(&name);
	return true;
}

static const struct sink_class keeper_class = { .snapshot = keep };

static void keeper_init(struct keeper *keeper, const struct resolver *resolver)
{
	*keeper = (struct keeper){
		.sink = { &keeper_class },
		.resolver = resolver,
		.arena = arena_new(),
	};
}

static void keeper_free(struct keeper *keeper)
{
	table_free(&keeper->rows);
	arena_free(keeper->arena);
}

static void expect_same(const struct keeper *a, const struct keeper *b)
{
	assert_true(b->rows.count > 0);
	assert_int_equal(a->rows.count, b->rows.count);
	for (uint32_t i = 0; i < a->rows.count; i++) {
		const struct table_entry *entry = &a->rows.entries[i];
		const struct kept *x = entry->value,
				  *y = table_get(&b->rows, entry->key);

		if (!y)
			print_message("%.*s\n", (int)entry->key.n,
				      entry->key.p);
		assert_non_null(y);
		assert_string_equal(x->aggregation->function,
				    y->aggregation->function);
		assert_memory_equal(x->words, y->words,
				    x->aggregation->nvalues * 8);
		if (x->aggregation->aggregate->number)
			assert_int_equal(
				x->aggregation->aggregate->number(x->words, 1),
				y->aggregation->aggregate->number(y->words, 1));
	}
}

/* --------------------------------------------------------------- a fleet */

struct sent {
	char host[16];
	char *bytes;
	size_t n;
};

struct fleet {
	struct synthetic hosts[MOST_HOSTS], one;
	struct publisher *publishers[MOST_HOSTS];
	struct sink *sinks[MOST_HOSTS];
	char names[MOST_HOSTS][16];
	uint32_t nhosts, sending;
	struct sent *sent;
	uint32_t nsent;
	struct keeper expected;
	uint64_t seed;
};

static void store(void *context, const void *bytes, size_t n)
{
	struct fleet *fleet = context;

	fleet->sent = realloc(fleet->sent,
			      (fleet->nsent + 1) * sizeof(*fleet->sent));
	struct sent *sent = &fleet->sent[fleet->nsent++];

	snprintf(sent->host, sizeof(sent->host), "%s",
		 fleet->names[fleet->sending]);
	sent->bytes = malloc(n);
	memcpy(sent->bytes, bytes, n);
	sent->n = n;
}

static struct merge_setup setup_of(const char *instrumentation)
{
	return (struct merge_setup){
		.instrumentation = instrumentation,
		.most_host_rows = 100000,
		.most_rows = 1000000,
		.most_hosts = 100,
		.most_bytes = 1 << 30,
	};
}

static void count_seconds(struct fleet *fleet)
{
	struct synthetic *one = &fleet->one;

	for (uint64_t second = FIRST; second < FIRST + SECONDS; second++) {
		for (uint32_t i = 0; i < 400; i++) {
			uint32_t host = (uint32_t)(synthetic_random(one) %
						   fleet->nhosts);
			uint32_t agg = (uint32_t)(synthetic_random(one) %
						  one->naggs);
			uint32_t key = (uint32_t)(synthetic_random(one) %
						  NKEYS);
			int64_t value = synthetic_value(one);

			synthetic_count(one, agg, key, value);
			synthetic_count(&fleet->hosts[host], agg, key, value);
			/* a second in two pieces */
			if (synthetic_random(one) % 100)
				continue;
			fleet->sending = host;
			synthetic_take(&fleet->hosts[host], second,
				       fleet->sinks[host]);
			publisher_flush(fleet->publishers[host], 0, 1);
		}
		synthetic_take(one, second, &fleet->expected.sink);
		for (uint32_t i = 0; i < fleet->nhosts; i++) {
			fleet->sending = i;
			synthetic_take(&fleet->hosts[i], second,
				       fleet->sinks[i]);
			publisher_flush(fleet->publishers[i],
					(second + 1) * 1000000000, 1);
		}
	}
}

static void fleet_init(struct fleet *fleet, uint64_t seed)
{
	*fleet = (struct fleet){ .seed = seed };
	synthetic_init(&fleet->one, seed, NKEYS);
	keeper_init(&fleet->expected, &fleet->one.resolver);
	fleet->nhosts = 1 +
			(uint32_t)(synthetic_random(&fleet->one) % MOST_HOSTS);
	for (uint32_t i = 0; i < fleet->nhosts; i++) {
		snprintf(fleet->names[i], sizeof(fleet->names[i]), "host%u", i);
		synthetic_init(&fleet->hosts[i], seed * 100 + i, NKEYS);
		fleet->publishers[i] = publisher_new(&(struct publish_setup){
			.host = fleet->names[i],
			.instrumentation = "x",
			.run = 1,
			.send = store,
			.context = fleet,
		});
		fleet->sinks[i] = publisher_sink(fleet->publishers[i],
						 &fleet->hosts[i].resolver);
	}
	count_seconds(fleet);
}

static void fleet_free(struct fleet *fleet)
{
	for (uint32_t i = 0; i < fleet->nhosts; i++) {
		publisher_free(fleet->publishers[i]);
		synthetic_free(&fleet->hosts[i]);
	}
	synthetic_free(&fleet->one);
	for (uint32_t i = 0; i < fleet->nsent; i++)
		free(fleet->sent[i].bytes);
	free(fleet->sent);
	keeper_free(&fleet->expected);
}

static void shuffle(struct fleet *fleet)
{
	for (uint32_t i = fleet->nsent; i > 1; i--) {
		uint32_t j = (uint32_t)(synthetic_random(&fleet->one) % i);
		struct sent swapped = fleet->sent[j];

		fleet->sent[j] = fleet->sent[i - 1];
		fleet->sent[i - 1] = swapped;
	}
}

static void show_all(struct merge *merge, struct sink *sink, bool is_final)
{
	struct merge_column columns[SECONDS * 2];
	uint32_t n = merge_columns(merge, columns, SECONDS * 2);

	for (uint32_t i = 0; i < n; i++)
		merge_show(merge, columns[i].second, sink, is_final);
}

/* ----------------------------------------------------------------- tests */

static void test_one_host(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct merge_setup setup = setup_of("x");
		struct merge *merge = merge_new(&setup);
		struct keeper keeper;
		struct fleet fleet;
		uint32_t nrepeated = 0;

		fleet_init(&fleet, seed);
		keeper_init(&keeper, merge_resolver(merge));
		shuffle(&fleet);
		for (uint32_t i = 0; i < fleet.nsent; i++) {
			struct sent *sent = &fleet.sent[i];
			uint32_t again =
				(uint32_t)(synthetic_random(&fleet.one) % 3);

			assert_int_equal(merge_add(merge, sent->host,
						   sent->bytes, sent->n, 0),
					 MERGE_ADDED);
			for (; again; again--, nrepeated++)
				assert_int_equal(merge_add(merge, sent->host,
							   sent->bytes, sent->n,
							   0),
						 MERGE_REPEATED);
			/* late rows come in another snapshot */
			if (synthetic_random(&fleet.one) % 8 == 0)
				show_all(merge, &keeper.sink, false);
		}
		show_all(merge, &keeper.sink, false);
		assert_int_equal(merge_bytes(merge), 0);
		expect_same(&fleet.expected, &keeper);
		assert_int_equal(merge_rows_lost(merge), 0);
		keeper_free(&keeper);
		merge_free(merge);
		fleet_free(&fleet);
	}
}

/* A head that merges heads shows what one head would. */
static void test_two_levels(void **state)
{
	enum { GROUPS = 3 };

	(void)state;
	for (uint64_t seed = 100; seed < 120; seed++) {
		struct merge_setup setup = setup_of("x");
		struct merge *top = merge_new(&setup), *middle[GROUPS];
		struct publisher *publishers[GROUPS];
		struct fleet fleet, above = { 0 };
		struct keeper keeper;

		fleet_init(&fleet, seed);
		shuffle(&fleet);
		for (uint32_t g = 0; g < GROUPS; g++) {
			middle[g] = merge_new(&setup);
			snprintf(above.names[g], sizeof(above.names[g]),
				 "head%u", g);
			publishers[g] = publisher_new(&(struct publish_setup){
				.host = above.names[g],
				.instrumentation = "x",
				.run = 1,
				.send = store,
				.context = &above,
			});
		}
		for (uint32_t i = 0; i < fleet.nsent; i++) {
			struct sent *sent = &fleet.sent[i];
			uint32_t g = (uint32_t)(sent->host[4] - '0') % GROUPS;

			merge_add(middle[g], sent->host, sent->bytes, sent->n,
				  0);
		}
		for (uint32_t g = 0; g < GROUPS; g++) {
			struct sink *sink =
				publisher_sink(publishers[g],
					       merge_resolver(middle[g]));

			above.sending = g;
			show_all(middle[g], sink, false);
			publisher_flush(publishers[g], 0, 3);
		}
		for (uint32_t i = 0; i < above.nsent; i++)
			assert_int_equal(merge_add(top, above.sent[i].host,
						   above.sent[i].bytes,
						   above.sent[i].n, 0),
					 MERGE_ADDED);
		keeper_init(&keeper, merge_resolver(top));
		show_all(top, &keeper.sink, false);
		expect_same(&fleet.expected, &keeper);
		keeper_free(&keeper);
		for (uint32_t g = 0; g < GROUPS; g++) {
			publisher_free(publishers[g]);
			merge_free(middle[g]);
		}
		for (uint32_t i = 0; i < above.nsent; i++)
			free(above.sent[i].bytes);
		free(above.sent);
		merge_free(top);
		fleet_free(&fleet);
	}
}

static const char *word(void *context, const char *host, const char *name)
{
	(void)context;
	return strcmp(name, "host") ? "db" : host;
}

/* With hosts as keys there are more rows, and their sum is the same. */
static void test_by_host(void **state)
{
	static const char *const by[] = { "host", "role" };
	struct merge_setup setup = setup_of("x");
	struct keeper keeper;
	struct fleet fleet;

	(void)state;
	fleet_init(&fleet, 7);
	setup.by = by;
	setup.nby = 2;
	setup.word = word;
	struct merge *merge = merge_new(&setup);

	for (uint32_t i = 0; i < fleet.nsent; i++)
		merge_add(merge, fleet.sent[i].host, fleet.sent[i].bytes,
			  fleet.sent[i].n, 0);
	keeper_init(&keeper, merge_resolver(merge));
	show_all(merge, &keeper.sink, false);
	assert_true(keeper.rows.count > fleet.expected.rows.count);
	/* without the two words: the merged rows */
	struct keeper sum;

	keeper_init(&sum, NULL);
	for (uint32_t i = 0; i < keeper.rows.count; i++) {
		struct str key = keeper.rows.entries[i].key;
		struct kept *kept = keeper.rows.entries[i].value, *total;
		const char *role = memmem(key.p, key.n, " db", 3);
		const char *host = memmem(key.p, key.n, " host", 5);

		assert_non_null(role);
		assert_non_null(host);
		char *name = arena_printf(sum.arena, "%.*s%s",
					  (int)(host - key.p), key.p, role + 3);

		total = table_get(&sum.rows, str_of(name));
		if (total)
			kept->aggregation->aggregate->merge(
				total->words, kept->words,
				kept->aggregation->nvalues);
		else
			table_put(&sum.rows, str_of(name), kept);
	}
	expect_same(&fleet.expected, &sum);
	keeper_free(&sum);
	keeper_free(&keeper);
	merge_free(merge);
	fleet_free(&fleet);
}

static bool look(struct sink *sink, const struct fact_snapshot *snapshot)
{
	(void)sink;
	for (uint32_t i = 0; i < snapshot->table->nrows; i++) {
		struct fact_row row;

		snapshot->table->row(snapshot->table, i, &row);
		for (uint32_t n = 0; n < row.nkeys; n++)
			assert_non_null(row.keys[n].bytes);
	}
	return true;
}

/* Bytes that are changed, cut or added: refused or merged, and no harm. */
static void test_damage(void **state)
{
	struct merge_setup setup = setup_of("x");
	struct merge *merge = merge_new(&setup);
	struct keeper keeper = { .sink = { &(struct sink_class){
					 .snapshot = look } } };
	struct fleet fleet;
	uint32_t nbad = 0;

	(void)state;
	fleet_init(&fleet, 3);
	for (uint32_t i = 0; i < 20000; i++) {
		struct sent *sent =
			&fleet.sent[synthetic_random(&fleet.one) % fleet.nsent];
		size_t n = sent->n;
		char *bytes = malloc(n);

		memcpy(bytes, sent->bytes, n);
		for (uint64_t k = synthetic_random(&fleet.one) % 4; k; k--)
			bytes[synthetic_random(&fleet.one) % n] ^=
				(char)(1 << synthetic_random(&fleet.one) % 8);
		if (synthetic_random(&fleet.one) % 3 == 0)
			n = synthetic_random(&fleet.one) % n;
		/* exactly as many bytes, so that a sanitizer sees more */
		bytes = realloc(bytes, n ? n : 1);
		nbad += merge_add(merge, sent->host, bytes, n,
				  FIRST * 1000000000ull) == MERGE_BAD;
		free(bytes);
		if (i % 20)
			continue;
		show_all(merge, &keeper.sink, true);
		merge_free(merge);
		merge = merge_new(&setup);
	}
	assert_true(nbad > 1000);
	merge_free(merge);
	fleet_free(&fleet);
}

static void test_names(void **state)
{
	struct merge_setup setup = setup_of("y");
	struct merge *merge = merge_new(&setup);
	struct fleet fleet;

	(void)state;
	fleet_init(&fleet, 3);
	struct sent *sent = &fleet.sent[0];

	/* of another instrumentation; under another host's name */
	assert_int_equal(merge_add(merge, sent->host, sent->bytes, sent->n, 0),
			 MERGE_FOREIGN);
	merge_free(merge);
	setup = setup_of("x");
	merge = merge_new(&setup);
	assert_int_equal(merge_add(merge, "liar", sent->bytes, sent->n, 0),
			 MERGE_FOREIGN);
	/* a clock that is a year off */
	assert_int_equal(merge_add(merge, sent->host, sent->bytes, sent->n,
				   (FIRST + 31536000ull) * 1000000000),
			 MERGE_REFUSED);
	assert_int_equal(merge_add(merge, sent->host, sent->bytes, sent->n,
				   FIRST * 1000000000ull),
			 MERGE_ADDED);
	merge_free(merge);
	fleet_free(&fleet);
}

/* ---------------------------------------------- ten million keys */

struct flood {
	struct merge *merge;
	const char *host;
	uint64_t most_bytes;
};

static void deliver(void *context, const void *bytes, size_t n)
{
	struct flood *flood = context;

	merge_add(flood->merge, flood->host, bytes, n, 0);
	if (merge_bytes(flood->merge) > flood->most_bytes)
		flood->most_bytes = merge_bytes(flood->merge);
}

static void one_row(const struct fact_table *table, uint32_t i,
		    struct fact_row *row)
{
	static uint64_t key;
	static int64_t value = 1;
	static const int64_t *values[] = { &value };
	static struct fact_value keys[1];

	key = i;
	fact_stored(&keys[0], &table->keys[0], (const uint8_t *)&key);
	*row = (struct fact_row){ .keys = keys, .nkeys = 1, .values = values };
}

static void flood_with(struct flood *flood, const char *host, uint64_t second,
		       uint32_t nkeys, uint32_t sources)
{
	static struct schema_field field = {
		.kind = FACT_INTEGER, .size = 8, .type = "long",
	};
	struct synthetic functions;

	synthetic_init(&functions, 1, 1);
	struct schema_aggregation count = functions.aggs[0], *aggs = &count;

	assert_string_equal(count.function, "count");
	count.keys = &field;
	count.nkeys = 1;
	flood->host = host;
	struct publisher *publisher = publisher_new(&(struct publish_setup){
		.host = host,
		.instrumentation = "x",
		.run = second,
		.send = deliver,
		.context = flood,
	});
	struct fact_table table = {
		.aggregations = (const struct schema_aggregation **)&aggs,
		.naggregations = 1, .keys = &field, .nkeys = 1,
		.nrows = nkeys, .row = one_row,
	};

	sink_snapshot(publisher_sink(publisher, &functions.resolver),
		      &(struct fact_snapshot){
			      .second = second,
			      .from = second * 1000000000,
			      .to = second * 1000000000 + 1,
			      .table = &table,
		      });
	publisher_flush(publisher, 0, sources);
	publisher_free(publisher);
	synthetic_free(&functions);
}

static void test_flood(void **state)
{
	enum { SHARE = 20000, MOST = 10000000 };
	static const char *const by[] = { "host" };
	struct merge_setup setup = setup_of("x");

	(void)state;
	setup.most_host_rows = SHARE;
	setup.most_bytes = 64 << 20;
	/* words in front of keys, as -x aggby has them */
	setup.by = by;
	setup.nby = 1;
	setup.word = word;
	struct flood flood = { .merge = merge_new(&setup) };

	flood_with(&flood, "hostile", FIRST, MOST, 1);
	assert_int_equal(merge_rows_lost(flood.merge), MOST - SHARE);
	assert_int_equal(merge_source(flood.merge, "hostile")->rows_lost,
			 MOST - SHARE);
	assert_true(flood.most_bytes < 4 << 20);
	/* others are not harmed */
	flood_with(&flood, "honest", FIRST, 1000, 1);
	assert_int_equal(merge_source(flood.merge, "honest")->rows_lost, 0);
	merge_free(flood.merge);
}

/* All columns that there can be, and in the name of a million hosts. */
static void test_greed(void **state)
{
	enum { SHARE = 20000, SECONDS_OF_IT = 100 };
	struct merge_setup setup = setup_of("x");

	(void)state;
	setup.most_host_rows = SHARE;
	struct flood flood = { .merge = merge_new(&setup) };

	for (uint64_t second = FIRST; second < FIRST + SECONDS_OF_IT; second++)
		flood_with(&flood, "hostile", second, SHARE, 1000000);
	flood_with(&flood, "hostile", FIRST + SECONDS_OF_IT, 2 * SHARE,
		   1000000);
	struct merge_source *hostile = merge_source(flood.merge, "hostile");

	assert_int_equal(hostile->sources, 1);
	assert_true(hostile->rows <= setup.most_rows / 2 + SHARE);
	assert_true(hostile->rows_lost > SECONDS_OF_IT / 2 * SHARE);
	/* others have theirs, where it had too much */
	flood_with(&flood, "honest", FIRST + SECONDS_OF_IT - 1, SHARE, 1);
	assert_int_equal(merge_source(flood.merge, "honest")->rows_lost, 0);
	assert_int_equal(merge_source(flood.merge, "honest")->rows, SHARE);
	merge_free(flood.merge);
}

/* Messages without their first byte, in files: seeds for test/fuzz/message.c. */
static int write_messages(const char *directory)
{
	struct fleet fleet;

	fleet_init(&fleet, 11);
	for (uint32_t i = 0; i < fleet.nsent; i += 5) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%u", directory, i);
		FILE *file = fopen(path, "we");

		if (!file)
			return 1;
		fwrite(fleet.sent[i].bytes + 1, fleet.sent[i].n - 1, 1, file);
		fclose(file);
	}
	fleet_free(&fleet);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return write_messages(argv[1]);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_host),
		cmocka_unit_test(test_two_levels),
		cmocka_unit_test(test_by_host),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_greed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
